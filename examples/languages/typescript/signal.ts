declare const process: any;
process.abort();
