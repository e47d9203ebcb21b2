let bytes = 0;
process.stdin.on("data", (chunk: any) => (bytes += chunk.length));
process.stdin.on("end", () => console.log(`${bytes} bytes`));
