/** `<Dial>`: a human answers the call or does not. */
import type { DialStatus } from "./CallEvents.ts"
import type { Dialed } from "./CallResult.ts"
import { actOn, type Outcome, type Scene } from "./Scene.ts"
import type { Element } from "./Twiml.ts"

/** `dials`: the dials of the call so far; this one is added. */
export const dial = async (scene: Scene, verb: Element, dials: Array<Dialed>): Promise<Outcome> => {
  const { call, exchange, line } = scene
  scene.answer()
  scene.runScript()
  const { callerId, timeLimit, timeout, action } = verb.attributes
  const to = verb.children[0]?.text ?? verb.text
  const atMs = line.nowMs
  const planned = call.request.humans
  const human = planned?.[Math.min(dials.length, planned.length - 1)] ?? exchange.human
  line.record({ type: "dialed", atMs, to })
  const nth = dials.push({ to, callerId, status: human.status, atMs }) - 1
  const seconds = Number((human.status === "completed" ? timeLimit : timeout) ?? Number.POSITIVE_INFINITY)
  await scene.wait(Math.min(human.ms, seconds * 1_000))
  const status: DialStatus = !scene.isHere() && human.status !== "completed" ? "canceled" : human.status
  dials[nth] = { to, callerId, status, atMs }
  line.record({ type: "dialEnded", atMs: line.nowMs, status })
  return actOn(scene, action, { DialCallStatus: status })
}
