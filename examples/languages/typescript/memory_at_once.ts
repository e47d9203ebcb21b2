const all: Uint8Array = new Uint8Array(2 ** 30).fill(1);
console.log(all[12345]);
