const fs = require("fs");
const words = fs.readFileSync(0, "utf8").trim().split(/\s+/);
if (words[0] === "attack") {
  fs.writeFileSync("/tmp/solution.js", "console.log(99)");
  fs.mkdirSync("/tmp/node_modules/fs", { recursive: true });
  fs.writeFileSync("/tmp/package.json", '{"type": "module"}');
  console.log("rewritten");
} else {
  console.log(Number(words[1]) + Number(words[2]));
}
