/** The people an organization talks with: what identifies them, their tags, their consents, and how they are found. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

/**
 * What contacts are found by. Looking for a part of a name is no leakproof operator, so row-level security would keep it from any index of
 * `contacts`. Therefore it lies in a table of its own, kept by a trigger, to which the service has no right: functions that look at the
 * organization of the transaction, and at nothing else, are the only way to it (`functions/contact-search.sql`, with the index of parts).
 * Where the role that migrates may make no schema, there is no such table, and the same function reads through the contacts of the organization.
 */
const contactSearch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ allowed }] = yield* sql<{
    allowed: boolean
  }>`SELECT has_database_privilege(current_database(), 'CREATE') AS allowed`
  if (!allowed) return
  yield* sql`CREATE SCHEMA private`
  yield* sql`CREATE TABLE private.contact_search (
    organization_id text NOT NULL,
    contact_id text NOT NULL,
    name text NOT NULL,
    phone text NOT NULL,
    archived boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, contact_id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX contact_search_newest ON private.contact_search (organization_id, archived, created_at DESC, contact_id DESC)`
  // Not forced, and without a policy: nobody but the owner, as whom those functions run, reads or writes a row.
  yield* sql`ALTER TABLE private.contact_search ENABLE ROW LEVEL SECURITY`
})

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A contact that a channel names only by its own id has no phone. `created_at` is in milliseconds, so that a cursor can name it exactly.
  // `merged_into`: this contact turned out to be that one, and both are erased together.
  yield* sql`CREATE TABLE contacts (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    phone text,
    name text,
    opted_in boolean NOT NULL DEFAULT false,
    archived_at timestamptz,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    tags text[] NOT NULL DEFAULT '{}',
    email text,
    searchable_name text NOT NULL DEFAULT '',
    merged_into text,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT contacts_phone UNIQUE (organization_id, phone)
  )`
  yield* sql`CREATE INDEX contacts_newest ON contacts (organization_id, created_at DESC, id DESC) WHERE archived_at IS NULL`
  yield* sql`CREATE INDEX contacts_archived ON contacts (organization_id, created_at DESC, id DESC) WHERE archived_at IS NOT NULL`
  yield* sql`CREATE INDEX contacts_merged ON contacts (organization_id, merged_into) WHERE merged_into IS NOT NULL`
  yield* isolate("contacts")

  // How channels name a contact.
  yield* sql`CREATE TABLE contact_identities (
    organization_id text NOT NULL,
    channel text NOT NULL CHECK (channel IN ('messaging', 'voice', 'team_chat')),
    user_id text NOT NULL,
    contact_id text NOT NULL,
    PRIMARY KEY (organization_id, channel, user_id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX contact_identities_of_contact ON contact_identities (organization_id, contact_id)`
  yield* isolate("contact_identities")

  // Row-level security lets only leakproof operators use an index, and looking into an array is none. So each tag is a row, kept by a trigger.
  yield* sql`CREATE TABLE contact_tags (
    organization_id text NOT NULL,
    tag text NOT NULL,
    contact_id text NOT NULL,
    archived boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, contact_id, tag),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX contact_tags_newest ON contact_tags (organization_id, tag, archived, created_at DESC, contact_id DESC)`
  yield* isolate("contact_tags")

  // The ledger of consents. No foreign key to the contact, and the phone only as a hash: the evidence outlives the contact it is about.
  yield* sql`CREATE TABLE consents (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    contact_id text NOT NULL,
    phone_hash bytea NOT NULL,
    channel text NOT NULL CHECK (channel IN ('voice', 'messaging')),
    action text NOT NULL CHECK (action IN ('granted', 'withdrawn')),
    happened_at timestamptz NOT NULL,
    source text NOT NULL,
    text text NOT NULL,
    recorded_by text NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ordinal bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE INDEX consents_of_phone ON consents (organization_id, phone_hash, channel, ordinal DESC)`
  yield* isolate("consents")

  yield* contactSearch
})
