/** The REST resources of call recordings. */
import type { StoredRecording } from "./Provider.ts"
import { gone, notAllowed, notFound, type RestHandler } from "./Reply.ts"

const resource = ({ sid, accountSid, callSid, created, seconds, ready }: StoredRecording) => {
  const uri = `/2010-04-01/Accounts/${accountSid}/Recordings/${sid}`
  return {
    account_sid: accountSid,
    api_version: "2010-04-01",
    call_sid: callSid,
    conference_sid: null,
    channels: 1,
    date_created: created,
    date_updated: created,
    start_time: created,
    price: null,
    price_unit: "USD",
    duration: ready ? String(seconds) : null,
    sid,
    source: "RecordVerb",
    status: ready ? "completed" : "processing",
    error_code: null,
    uri: `${uri}.json`,
    encryption_details: null,
    subresource_uris: { add_on_results: `${uri}/AddOnResults.json`, transcriptions: `${uri}/Transcriptions.json` },
    media_url: `https://api.twilio.com${uri}`
  }
}

/** `/Recordings/{RE}.json` */
export const recording: RestHandler = ({ provider, method, accountSid, params: [sid] }) => {
  const found = provider.recordings.get(sid)
  if (found === undefined || found.accountSid !== accountSid) return notFound()
  if (method === "GET") return { status: 200, body: resource(found) }
  if (method !== "DELETE") return notAllowed()
  provider.recordings.delete(sid)
  return gone
}

/** `/Recordings/{RE}.wav` */
export const recordedAudio: RestHandler = ({ provider, method, accountSid, params: [sid] }) => {
  const found = provider.recordings.get(sid)
  if (found === undefined || found.accountSid !== accountSid || !found.ready) return notFound()
  return method === "GET" ? { status: 200, audio: found.wav } : notAllowed()
}
