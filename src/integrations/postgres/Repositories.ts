/** Every store of the domain in Postgres. Needs the database (`Database.layer` or `Postgres.layer`) and the key ring. */
import { Layer } from "effect"
import * as ApiKeysPostgres from "./ApiKeysPostgres.ts"
import * as CallsPostgres from "./CallsPostgres.ts"
import * as OrganizationsPostgres from "./OrganizationsPostgres.ts"
import * as PhoneNumbersPostgres from "./PhoneNumbersPostgres.ts"
import * as TelephonyConnectionsPostgres from "./TelephonyConnectionsPostgres.ts"
import * as UsersPostgres from "./UsersPostgres.ts"
import * as VoiceAgentsPostgres from "./VoiceAgentsPostgres.ts"

export const layer = Layer.mergeAll(
  OrganizationsPostgres.layer,
  UsersPostgres.layer,
  ApiKeysPostgres.layer,
  TelephonyConnectionsPostgres.layer,
  PhoneNumbersPostgres.layer,
  VoiceAgentsPostgres.layer,
  CallsPostgres.layer
)
