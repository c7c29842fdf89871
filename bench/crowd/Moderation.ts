/** The moderation of a crowd: it flags nothing. */
import type { TemplatedApp } from "uWebSockets.js"
import { categories } from "../../simulators/moderation/Moderation.ts"
import type { Outages } from "./Outages.ts"
import { whenRead } from "./RequestBody.ts"

const passed = { flagged: false, categories: Object.fromEntries(categories.map((name) => [name, false])) }
const answerOf = (texts: number) =>
  JSON.stringify({
    id: "modr-1",
    model: "omni-moderation-latest",
    results: Array.from({ length: texts }, () => passed)
  })
const verdict = answerOf(1)

export const addModeration = (app: TemplatedApp, outages: Outages): void => {
  app.post("/v1/moderations", (res) =>
    whenRead(res, (body, gone) => {
      if (gone() || outages.cut("moderation", res)) return
      res.cork(
        () =>
          void res
            .writeHeader("content-type", "application/json")
            .end(body.includes('"input":[') ? answerOf(JSON.parse(body).input.length) : verdict)
      )
    })
  )
}
