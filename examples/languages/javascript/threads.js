const { Worker, isMainThread, parentPort, workerData } = require("worker_threads");

if (isMainThread) {
  let all = 0;
  let running = 4;
  for (let from = 0; from < 1000; from += 250) {
    new Worker(__filename, { workerData: from }).on("message", (sum) => {
      all += sum;
      if (--running === 0) console.log(all);
    });
  }
} else {
  let sum = 0;
  for (let i = workerData; i < workerData + 250; i++) sum += i;
  parentPort.postMessage(sum);
}
