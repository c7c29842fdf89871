import { Effect } from "effect"
import { clientOf, paced } from "./desk/OpenLoop.ts"
import { setDesk } from "./desk/Stage.ts"
import { runBench } from "./support/Run.ts"

const kind = process.env.KIND ?? "contacts"
export const run = (_args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const desk = yield* setDesk({ contacts: 100000, messages: kind === "send" ? 500000 : 100000 }, () => {})
      const ask = clientOf(desk.baseUrl, desk.key)
      const api = "/api/messaging-api"
      let made = 0
      yield* Effect.promise(async () => {
        const send =
          kind === "contacts"
            ? async (n: number) => void (await ask(`${api}/contacts?page=${1 + (n % 20)}`))
            : kind === "create"
              ? async () =>
                  void (await ask(`${api}/contacts`, {
                    phone: `+447421${String(made++).padStart(6, "0")}`,
                    name: "Asha Rao",
                    tags: ["new"]
                  }))
              : async (n: number) => void (await ask(`${api}/chats?page=${1 + (n % 20)}`))
        await paced([{ name: "c", send }], 200, 15)
        const cpu = async () => (await desk.app.read()).cpuSeconds * 1000
        for (let i = 0; i < Number(process.env.ROUNDS ?? 2); i++) {
          const a = await cpu()
          await paced([{ name: "c", send }], 200, 15)
          const b = await cpu()
          console.log(kind, "ms each", ((b - a) / 3000).toFixed(3))
        }
      })
      return 0
    })
  )
