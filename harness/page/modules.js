// Minimal loader for the chart library's modules: `modules` maps each name to a function that runs
// when the module is first imported.
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
