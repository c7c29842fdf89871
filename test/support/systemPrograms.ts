/** Import it before a program of the system is started: on Debian the proxies, and what installs packages, are where only root's PATH leads. */
const folders = ["/usr/local/sbin", "/usr/sbin", "/sbin"]
const path = (process.env.PATH ?? "").split(":")
process.env.PATH = [...path, ...folders.filter((folder) => !path.includes(folder))].join(":")
