// Loaded before programs of Node: jails have no /proc and so no /dev/stdin, which many programs read by name.
// Those names are taken for the descriptors they stand for.
"use strict";

const fs = require("fs");

const DESCRIPTORS = new Map();
["stdin", "stdout", "stderr"].forEach((name, descriptor) => {
  for (const path of [`/dev/${name}`, `/dev/fd/${descriptor}`, `/proc/self/fd/${descriptor}`]) {
    DESCRIPTORS.set(path, descriptor);
  }
});

const meant = (path) => DESCRIPTORS.get(path) ?? path;

function replace(name, make) {
  fs[name] = make(fs[name]);
}

for (const name of ["readFile", "readFileSync", "writeFile", "writeFileSync", "appendFile", "appendFileSync"]) {
  replace(name, (original) => (path, ...more) => original(meant(path), ...more));
}

for (const name of ["createReadStream", "createWriteStream"]) {
  replace(name, (original) => (path, options) => {
    if (!DESCRIPTORS.has(path)) return original(path, options);
    const given = typeof options === "string" ? { encoding: options } : options;
    return original(path, { ...given, fd: meant(path) });
  });
}

replace("openSync", (original) => (path, ...more) => DESCRIPTORS.get(path) ?? original(path, ...more));
replace("existsSync", (original) => (path) => DESCRIPTORS.has(path) || original(path));

for (const name of ["readFile", "writeFile", "appendFile"]) {
  const original = fs.promises[name];
  fs.promises[name] = (path, ...more) =>
    DESCRIPTORS.has(path)
      ? new Promise((resolve, reject) => {
          fs[name](path, ...more, (error, result) => (error ? reject(error) : resolve(result)));
        })
      : original(path, ...more);
}

require("module").syncBuiltinESMExports();
