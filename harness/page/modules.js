// The library's files are modules that ask for each other by name: `modules` holds a function for
// each, which runs when it is first asked for.
const modules = {};
function load(name) {
  const module = modules[name];
  if (!module) throw new Error("the charts' library lacks its module " + name);
  if (!module.exports) {
    module.exports = {};
    module.define(module.exports, module, load);
  }
  return module.exports;
}
