console.log(Buffer.alloc(2 ** 30, 1)[12345]);
