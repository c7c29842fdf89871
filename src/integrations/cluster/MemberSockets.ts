/**
 * The server on which a member listens for the others. It is the library's server, except that writing to a closed connection fails. The library
 * itself would wait for such a write for ever and without interruption, because a destroyed connection sends no `drain`; that member could then not
 * close. It happens to a member that was frozen: when it continues, the others have closed their connections.
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

/** Needs the ShardingConfig, which has the address. */
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
