import { readFileSync } from "fs";

const [count, ...numbers] = readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
let sum: number = 0;
for (let i = 0; i < count; i++) sum += numbers[i];
console.log(sum);
