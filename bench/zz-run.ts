import("./zz-idle.ts").then((m) => m.run([])).then((c) => process.exit(c))
