setTimeout(() => console.log("awake"), 3_600_000);
