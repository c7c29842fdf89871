/** `<Enqueue>`: the caller waits in line and hears the documents of `waitUrl` again and again until the call leaves the line. */
import type { QueueResult } from "./CallEvents.ts"
import type { Enqueued } from "./CallResult.ts"
import { actOn, type Outcome, type Scene } from "./Scene.ts"
import { type Element, parseTwiml } from "./Twiml.ts"

/** `queues`: the queues that the call has left so far; this one is added when the call leaves it. */
export const enqueue = async (scene: Scene, verb: Element, queues: Array<Enqueued>): Promise<Outcome> => {
  const { call, exchange, isHere } = scene
  const { action, waitUrl } = verb.attributes
  scene.answer()
  scene.runScript()
  const since = Date.now()
  const heard: Array<string> = []
  const line = exchange.lines.join(call.account.accountSid, verb.text, call.callSid)
  const fields = () => ({
    QueueSid: line?.queueSid ?? "",
    QueueTime: String(Math.floor((Date.now() - since) / 1_000))
  })
  scene.line.record({ type: "enqueued", atMs: scene.line.nowMs, queue: verb.text })
  const { queueWaitMs } = exchange
  const patience = queueWaitMs === undefined ? undefined : setTimeout(() => isHere() && scene.end("queue"), queueWaitMs)
  let result: QueueResult = "queue-full"
  if (line !== undefined) {
    const position = () => ({
      ...fields(),
      QueuePosition: String(line.members.indexOf(call.callSid) + 1),
      CurrentQueueSize: String(line.members.length),
      AvgQueueTime: "0"
    })
    try {
      await (waitUrl === undefined ? scene.left : hold(scene, waitUrl, position, heard))
    } finally {
      clearTimeout(patience)
      exchange.lines.leave(line, call.callSid)
    }
    result = isHere() ? "leave" : call.live ? "redirected" : "hangup"
  }
  queues.push({ queue: verb.text, heard, result, waitedMs: Date.now() - since })
  scene.line.record({ type: "leftQueue", atMs: scene.line.nowMs, result })
  // The action is told also when the call was taken out of the line.
  return actOn(scene, action, { QueueResult: result, ...fields() }, true)
}

/** Plays the documents of `waitUrl` until a `<Leave>`, or until the call leaves the line. Such a document may have only some verbs. */
const hold = async (
  scene: Scene,
  waitUrl: string,
  fields: () => Record<string, string>,
  heard: Array<string>
): Promise<void> => {
  for (let url = waitUrl; scene.isHere(); ) {
    const twiml = await scene.hooks.document(url, fields())
    if (!scene.isHere()) return
    url = waitUrl
    for (const verb of parseTwiml(twiml)) {
      if (!scene.isHere()) return
      if (verb.name === "Leave") return
      if (verb.name === "Hangup") return scene.end("twiml")
      if (verb.name === "Redirect") {
        url = verb.text
        break
      }
      if (verb.name === "Say" || verb.name === "Play") {
        heard.push(verb.text)
        await scene.say(verb.text)
      } else if (verb.name === "Pause") await scene.wait(Number(verb.attributes.length ?? 1) * 1_000)
      else scene.warnings.push(`12200: <${verb.name}> is not allowed in a waitUrl document`)
    }
    // A document that takes no time must not cause a flood of requests.
    await scene.wait(20)
  }
}
