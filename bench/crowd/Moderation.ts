/** The moderation of a crowd: it flags nothing. */
import type { TemplatedApp } from "uWebSockets.js"
import { categories } from "../../simulators/moderation/Moderation.ts"
import type { Outages } from "./Outages.ts"
import { whenRead } from "./RequestBody.ts"

const verdict = JSON.stringify({
  id: "modr-1",
  model: "omni-moderation-latest",
  results: [
    {
      flagged: false,
      categories: Object.fromEntries(categories.map((name) => [name, false]))
    }
  ]
})

export const addModeration = (app: TemplatedApp, outages: Outages): void => {
  app.post("/v1/moderations", (res) =>
    whenRead(res, (_body, gone) => {
      if (gone() || outages.cut("moderation", res)) return
      res.cork(() => void res.writeHeader("content-type", "application/json").end(verdict))
    })
  )
}
