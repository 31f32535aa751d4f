"""Headless Chromium for tests of HTML pages: one process for all pages of a test, driven by the DevTools protocol over a pipe."""
import json
import os
import select
import shutil
import subprocess
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium():
    """Path of Chromium, from the environment variable CHROMIUM or on PATH; None if there is none that starts."""
    for name in (os.environ.get("CHROMIUM"), *PROGRAMS):
        path = name and shutil.which(name)
        if path and subprocess.run([path, "--version"], capture_output=True).returncode == 0:
            return path
    return None


class BrowserFailure(Exception):
    pass


class Browser:
    """Chromium with one tab. `folder` receives its profile and its log."""

    def __init__(self, program, folder, timeout=600):
        self.log, self.timeout = folder / "browser.log", timeout
        read_end, self.commands = os.pipe()
        self.messages, write_end = os.pipe()
        # Chromium reads commands from descriptor 3 and writes messages to 4.
        command = f'exec "$@" 3<&{read_end} 4>&{write_end}'
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                ["bash", "-c", command, "bash", program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe", f"--user-data-dir={folder}/browser"],
                pass_fds=(read_end, write_end), stderr=log)
        os.close(read_end)
        os.close(write_end)
        self.received, self.sent, self.console, self.loaded = b"", 0, [], False
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.commands)  # Chromium ends
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.messages)

    def call(self, method, **parameters):
        """Result of a method of the protocol."""
        self.sent += 1
        message = {"id": self.sent, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        text = memoryview(json.dumps(message).encode() + b"\0")
        while text:
            text = text[os.write(self.commands, text):]
        limit = time.monotonic() + self.timeout
        while (answer := self.receive(limit, method)).get("id") != self.sent:
            self.note(answer)
        if "error" in answer:
            raise BrowserFailure(f"{method}: {answer['error']}")
        return answer["result"]

    def receive(self, limit, waits_for):
        while b"\0" not in self.received:
            if not select.select([self.messages], [], [], max(0, limit - time.monotonic()))[0]:
                raise BrowserFailure(f"the browser has not answered {waits_for} in {self.timeout} s")
            part = os.read(self.messages, 1 << 20)
            if not part:
                raise BrowserFailure(f"the browser ended during {waits_for}:\n{self.log.read_text()[-2000:]}")
            self.received += part
        message, _, self.received = self.received.partition(b"\0")
        return json.loads(message)

    def note(self, message):
        """Collects what appears on the console."""
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(one.get("value", one.get("description"))) for one in parameters["args"]))
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded":
            entry = parameters["entry"]
            self.console.append(f"{entry['text']} {entry.get('url', '')}")

    def open(self, page, width, dark=False):
        """Loads a file in a window of that width, in the system's dark or light theme."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.console, self.loaded = [], False
        self.call("Page.navigate", url=page.as_uri())
        limit = time.monotonic() + self.timeout
        while not self.loaded:
            self.note(self.receive(limit, f"loading {page}"))

    def value_of(self, expression):
        """Value of a JavaScript expression in the page; waits for promises."""
        done = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            details = done["exceptionDetails"]
            raise BrowserFailure(details.get("exception", {}).get("description") or details["text"])
        return done["result"].get("value")
