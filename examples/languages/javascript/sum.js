const { readFileSync } = require("fs");

const [count, ...numbers] = readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
let sum = 0;
for (let i = 0; i < count; i++) sum += numbers[i];
console.log(sum);
