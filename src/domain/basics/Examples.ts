/**
 * Examples in the description of the interface are annotations of schemas (`examples`), written where a schema is declared. They tell of one shop,
 * Maple Books, and of one conversation. The ids here make them fit each other.
 */
import { Schema } from "effect"

export const exampleIds = {
  organization: "org_01KAJ2Z4T0M8Q3V6X9B2D5F7HA",
  owner: "usr_01KAJ2Z4T1N9R4W7Y0C3E6G8JB",
  colleague: "usr_01KAJ2ZF3M2P5S8V1X4Z7B9DKC",
  key: "key_01KAJ30A6G4T7W0Y3B6D9F2HMD",
  newKey: "key_01KAPQ5N8R1V4X7Z0C3E6G9JNE",
  contact: "cnt_01KAJ3VWX6TP0H8Q9M2C4D5E6F",
  otherContact: "cnt_01KAJ3WZQ5R8T1V4X7Y0B3D6F9",
  conversation: "cnv_01KAJ3VWX7VQ1J9R0N3D5E6F7G",
  message: "msg_01KAJ3W4B8XR2K0S1P4E6F7G8H",
  answer: "msg_01KAJ3XKC9YS3M1T2Q5F7G8H9J",
  import: "imp_01KAJ3W9Q2CN5T0F8H6K4M7P1R",
  note: "nte_01KAJ3XXN2QF4M1T2Q5F7G8H9J",
  media: "med_01KAJ3Y2D0ZT4N2V3R6G8H9J0K",
  agent: "agt_01KAJ31BE1AV5P3W4S7H9J0K1M",
  textAgent: "bot_01KAJ31QS8BW6Q4X5T8J0K1M2N",
  number: "num_01KAJ32CF2BW6Q4X5T8J0K1M2N",
  call: "call_01KAK9DDG3CX7R5Y6V9K1M2N3P",
  listener: "lst_01KAK9DF05EZ8T7A8X1N3P4Q5R",
  utterance: "utt_01KAK9DEH4DY8S6Z7W0M2N3P4Q",
  template: "tpl_01KAJ33FJ5EZ9T7A8X1N3P4Q5R",
  quickReply: "qrp_01KAJ34GK6F0AV8B9Y2P4Q5R6S",
  broadcast: "brd_01KAP8HHM7G1BW9C0Z3Q5R6S7T",
  webhook: "whk_01KAJ35JN8H2CX0D1A4R6S7T8V",
  delivery: "dlv_01KAJ3W5P9J3DY1E2B5S7T8V9W",
  event: "evt_01KAJ3W4Q0K4EZ2F3C6T8V9W0X",
  device: "dev_01KAJ36MR1M5F03G4D7V9W0X1Y",
  consent: "cns_01KAJ3VXS2N6G14H5E8W0X1Y2Z",
  auditEntry: "aud_01KAJ37PT3P7H25J6F9X1Y2Z30",
  contactExport: "exp_01KAPC9QV4Q8J36K7G0Y2Z3041",
  company: "cmp_01KAPC9QX6T2K48N9J0Y2Z3041",
  product: "prd_01KAPC9QY7V3M59P8K1Z304152",
  order: "ord_01KAPC9QZ8W4N6AQ7M20415263",
  payment: "pay_01KAPC9R1AY6Q8CS7P42637485",
  supplier: "sup_01KAPC9R09X5P7BR6N31526374",
  cart: "crt_01KAPC9R1AY6Q8CS7P42637485",
  knowledgeBase: "kb_01KAJ38QT4Q8J36K7G0Y2Z3041",
  knowledgeSource: "kns_01KAJ38RV5R9K47M8H1Z304152",
  evaluation: "evs_01KAJ38SW6SA58N9J20415263K",
  evaluationRun: "evr_01KAJ38TX7TB69PAK31526374M",
  question: "knq_01KAK9DFJ5EZ9T7A8X1N3P4Q5R",
  connection: "chn_01KAJ2ZRW5R9K47M8H1Z304152",
  appConnection: "con_01KAJ2ZRX6SA58N9J20415263K",
  syncTask: "syn_01KAJ3W5Q0K4EZ2F3C6T8V9W0Z",
  arrival: "arr_01KAJ3W5Q0K4EZ2F3C6T8V9W11",
  exchange: "xch_01KAJ3W5R1M5F03G4D7V9W0X1A",
  mcpServer: "mcs_01KAJ3A0T6Q9J36K7G0Y2Z3041",
  operator: "opr_01KAJ2Z4T1N9R4W7Y0C3E6G8JB",
  node: "nod_01KAJ3A0T6Q9J36K7G0Y2Z3041",
  resync: "rsy_01KAJ3A0T6Q9J36K7G0Y2Z3041",
  installationEvent: "iev_01KAJ3A0T6Q9J36K7G0Y2Z3041",
  request: "req_01KAJ37PX6SAM58N9J20415263"
} as const

/** The first example of a schema, as a part of another example. It throws when the schema has none. */
export const exampleOf = <S extends Schema.Top>(schema: S): S["Type"] => {
  const [example] = Schema.resolveAnnotations(schema)?.examples ?? []
  if (example === undefined) throw new Error("This schema has no example.")
  return example
}
