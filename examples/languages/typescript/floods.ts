import { writeSync } from "fs";

for (;;) writeSync(1, "a line of output that goes on and on\n".repeat(100));
