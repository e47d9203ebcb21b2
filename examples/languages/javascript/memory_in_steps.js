const all = [];
for (;;) all.push(new Array(1 << 17).fill(all.length));
