const { answer } = require("./lib/answer");

console.log(answer());
