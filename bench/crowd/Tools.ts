/** The tool of a crowd: it reserves lamps, which must happen once for each question that asks for it. */

import type { TemplatedApp } from "uWebSockets.js"
import { setTimeout as sleep } from "node:timers/promises"
import { whenRead } from "./RequestBody.ts"
import type { Tally } from "./Tally.ts"

export const toolName = "reserve_lamps"
/** The model asks for the tool in every so many turns. */
export const toolEvery = 3
/** The work is done when the request has come; the answer comes later, as of a shop that is busy. */
const answersAfterMs = 400

/** The agent's tool, at the address of the crowd's providers. */
export const crowdTool = (url: string): object => ({
  name: toolName,
  description: "Reserves lamps for the caller.",
  parameters: { type: "object", properties: { of: { type: "string" } }, required: ["of"] },
  handler: { type: "http", url: `${url}/reservations`, method: "POST" }
})

export const addTool = (app: TemplatedApp, tally: Tally): void => {
  app.post("/reservations", (res, req) => {
    const key = req.getHeader("idempotency-key")
    whenRead(res, async (body, gone) => {
      const { of } = JSON.parse(body) as { readonly of: string }
      const keys = tally.tools.get(of) ?? []
      tally.tools.set(of, [...keys, key])
      await sleep(answersAfterMs)
      if (gone()) return
      res.cork(() => void res.writeHeader("content-type", "application/json").end('{"reserved":true}'))
    })
  })
}
