import { Schema } from "effect"
import { pageQuery } from "/work/wt/strict/src/http/wire/Paging.ts"
import { sentenceOf } from "/work/wt/strict/src/http/wire/SchemaSentences.ts"
import { NewContact } from "/work/wt/strict/src/domain/people/contacts/Contact.ts"
import { SendRequest } from "/work/wt/strict/src/domain/messaging/sending/SendRequest.ts"
import { NewVoiceAgent } from "/work/wt/strict/src/domain/voice/agents/AgentInput.ts"
const t = (schema: any, v: unknown, kind = "Payload") => { const r: any = Schema.decodeUnknownExit(schema)(v); const c = r._tag==="Failure" ? r.cause.reasons?.[0]?.error ?? r.cause.failures?.[0]?.error : undefined; console.log(JSON.stringify(v).slice(0,70).padEnd(72), c ? sentenceOf({ kind, cause: c } as any) + "   <<" + String(c.message).split("\n")[0].slice(0,120) : "OK") }
const q = Schema.toCodecArrayFromSingle(Schema.Struct(pageQuery) as any)
for (const v of [{page:"x"},{page:"0"},{page:"1.5"},{limit:"101"},{page:"NaN"},{page:""},{page:["1","2"]}]) t(q, v, "Query")
for (const v of [{}, {phone: 5}, {phone:"+14155550123", tags:"x"}, {phone:"+14155550123", tags:[1]},{phone:"+14155550123", optedIn:"yes"},{phone:"+14155550123", name:"x".repeat(300)},{phone:"+14155550123", name:null}, {phone:"+14155550123", email:"x"}, {phone:"+14155550123", tags:Array(60).fill("a")}]) t(NewContact, v)
for (const v of [{}, {to:"+14155550123"}, {to:"+14155550123",type:"x"},{to:"+14155550123",type:"text"},{to:"+14155550123",type:"text",text:7},{to:"+14155550123",type:"interactive",interactive:{type:"button"}},{to:"+14155550123",type:"location",latitude:"a"}, {to:"+14155550123",type:"location",latitude:1000, longitude:2}]) t(SendRequest, v)
const a = {name:"R",welcomeMessage:"Hi",voiceFamily:"english",voiceId:"aura-2-thalia-en",systemPrompt:"x"}
for (const v of [{...a, maxCallSeconds:"a"},{...a, maxCallSeconds:1.5},{...a, maxCallSeconds:-1},{...a, silence:{promptAfterSeconds:null}},{...a, tools:{}},{...a,tools:[{name:"x"}]},{...a,voiceFamily:"french"},{...a,endpointing:{minSilenceMs:1e9}},{...a,recording:1},{...a,humanDestination:5},{...a,systemPrompt:""},{...a,escalationPhrases:Array(51).fill("a")}]) t(NewVoiceAgent, v)
