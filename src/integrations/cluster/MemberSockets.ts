/**
 * Where a member listens for the others: the library's server, which here answers nobody who is gone. The library waits for such an answer to be
 * written for ever (to a connection that is destroyed there comes no `drain`), where nothing interrupts it; and a member that waits so cannot
 * close. It happens to one that was frozen: those that had asked it have hung up when it thaws.
 */
import type { Socket as NetSocket } from "node:net"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { Effect, Layer, Option } from "effect"
import { Socket, SocketServer } from "effect/socket"

const hungUp = () =>
  new Socket.SocketError({ reason: new Socket.SocketWriteError({ cause: new Error("The other member has hung up.") }) })

/** The same socket; writing to it fails once the connection has ended on either side. */
const guarded = (socket: Socket.Socket, connection: NetSocket): Socket.Socket => {
  const unlessGone = <A>(write: Effect.Effect<A, Socket.SocketError>) =>
    Effect.suspend(() => (connection.destroyed || connection.writableEnded ? Effect.fail(hungUp()) : write))
  return Socket.make({
    reader: socket.reader,
    writer: Effect.map(socket.writer, ({ write, writeAll }) => ({
      write: (chunk) => unlessGone(write(chunk)),
      writeAll: (chunks) => unlessGone(writeAll(chunks))
    }))
  })
}

/** Needs the ShardingConfig, which says where. */
export const layer = Layer.effect(
  SocketServer.SocketServer,
  Effect.map(SocketServer.SocketServer, ({ address, run }) => ({
    address,
    run: (handler) =>
      run((socket) =>
        Effect.flatMap(Effect.serviceOption(NodeSocket.NetSocket), (connection) =>
          handler(Option.isSome(connection) ? guarded(socket, connection.value) : socket)
        )
      )
  }))
).pipe(Layer.provide(NodeClusterSocket.layerSocketServer))
