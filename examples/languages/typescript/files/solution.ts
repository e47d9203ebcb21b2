import { answer } from "./lib/answer";

console.log(answer());
