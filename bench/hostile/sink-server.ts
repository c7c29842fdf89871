/** Takes everything, understands nothing, and answers when nothing more comes: what an attack costs the machine, but not the service. Tells its port. */
import { createServer } from "node:net"

const quietMs = 20
const answer = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"

const server = createServer((socket) => {
  let quiet: NodeJS.Timeout | undefined
  socket.on("data", () => {
    clearTimeout(quiet)
    quiet = setTimeout(() => socket.write(answer), quietMs)
  })
  socket.on("error", () => undefined)
  socket.on("close", () => clearTimeout(quiet))
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.(typeof address === "object" && address !== null ? address.port : 0)
})
process.on("disconnect", () => process.exit(0))
