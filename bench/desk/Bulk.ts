/** Fills an organization with contacts, conversations and messages without running the triggers: it writes the triggers' results directly. */
import { Client } from "pg"

export interface Filling {
  readonly organizationId: string
  readonly contacts: number
  readonly messages: number
}

const first =
  "Asha Ravi Meera José Ana Liam Noah Olivia Emma Ava Mia Lucas Mateo Sofia Camila Yusuf Fatima Omar Layla Chen Wei Li Hana Yuki Ken Ivan Olga Pavel Anna Marie Luc Chloé Jan Eva Tom Grace Ruth Peter Paul Nina Kofi Ama Zola Thabo Aditi Arjun Kavya Rohan Priya Vikram"
const last =
  "Rao Sharma Patel Iyer Khan Singh Das Silva Souza García López Smith Jones Brown Taylor Wilson Evans Walker Müller Schmidt Weber Rossi Ferrari Novák Kowalski Ivanov Petrov Tanaka Suzuki Sato Kim Park Lee Wang Zhang Chen Nguyen Tran Okafor Mensah Dlamini Haddad Nasser Cohen Levi Larsen Berg Dubois Martin Bernard"

/** The nth contact's number, as it is stored. */
export const phoneOf = (n: number): string => `+1${2_000_000_000 + n * 4_999}`
export const contactId = (n: number): string => `cnt_${n.toString(16).padStart(26, "0")}`
export const conversationId = (n: number): string => `cnv_${n.toString(16).padStart(26, "0")}`
/** One conversation for ten messages, at most one per contact. */
export const conversationsOf = ({ contacts, messages }: Pick<Filling, "contacts" | "messages">): number =>
  Math.max(1, Math.min(contacts, Math.floor(messages / 10)))

const batch = 100_000

/** `from` and `to` are the first two parameters of each statement, the organization the third. */
const statements = {
  contacts: `INSERT INTO contacts (organization_id, id, phone, name, searchable_name, tags, opted_in, created_at, updated_at)
    SELECT $3, 'cnt_' || lpad(to_hex(n), 26, '0'), '+1' || (2000000000 + n * 4999::bigint), name, lower(name),
      CASE WHEN n % 2 = 0 THEN ARRAY['customer'] ELSE '{}' END || CASE WHEN n % 50 = 0 THEN ARRAY['vip'] ELSE '{}' END || ARRAY['segment-' || n % 1000],
      n % 3 = 0, at, at
    FROM (SELECT n, timestamptz '2025-01-01' + n * interval '60 seconds' AS at,
      (string_to_array('${first}', ' '))[1 + (n * 7919::bigint) % 50] || ' ' || (string_to_array('${last}', ' '))[1 + (n * 104729::bigint / 50) % 50] || ' ' || n AS name
      FROM generate_series($1::int, $2::int) n) made`,
  tags: `INSERT INTO contact_tags (organization_id, tag, contact_id, archived, created_at)
    SELECT organization_id, tag, id, false, created_at FROM contacts, unnest(tags) AS tag
    WHERE organization_id = $3 AND id BETWEEN 'cnt_' || lpad(to_hex($1::int), 26, '0') AND 'cnt_' || lpad(to_hex($2::int), 26, '0')`,
  search: `INSERT INTO private.contact_search (organization_id, contact_id, name, phone, archived, created_at)
    SELECT organization_id, id, searchable_name, ltrim(phone, '+'), false, created_at FROM contacts
    WHERE organization_id = $3 AND id BETWEEN 'cnt_' || lpad(to_hex($1::int), 26, '0') AND 'cnt_' || lpad(to_hex($2::int), 26, '0')`,
  conversations: `INSERT INTO conversations (organization_id, id, contact_id, channel, status, last_activity_at, last_inbound_at)
    SELECT $3, 'cnv_' || lpad(to_hex(n), 26, '0'), 'cnt_' || lpad(to_hex(n), 26, '0'), 'messaging',
      CASE WHEN n % 10 < 2 THEN 'OPEN' ELSE 'RESOLVED' END, at, at
    FROM (SELECT n, timestamptz '2025-01-01' + n * interval '60 seconds' AS at FROM generate_series($1::int, $2::int) n) made`,
  messages: `INSERT INTO messages (organization_id, id, conversation_id, direction, type, content, status, created_at)
    SELECT $3, 'msg_' || lpad(to_hex(n), 26, '0'), 'cnv_' || lpad(to_hex(1 + (n * 7919::bigint) % $4::int), 26, '0'),
      CASE WHEN n % 3 = 0 THEN 'outbound' ELSE 'inbound' END, 'text',
      jsonb_build_object('text', 'Hello, this is message ' || n || ' about my order, when does it arrive?'),
      CASE WHEN n % 3 = 0 THEN 'delivered' ELSE 'received' END, timestamptz '2025-01-01' + n * interval '10 seconds'
    FROM generate_series($1::int, $2::int) n`
}

const counts = `INSERT INTO list_counts (organization_id, list, shard, total)
  SELECT $1, 'contacts', 0, count(*) FROM contacts WHERE organization_id = $1
  UNION ALL SELECT $1, 'messages', 0, count(*) FROM messages WHERE organization_id = $1
  UNION ALL SELECT $1, 'tag.false.' || tag, 0, count(*) FROM contact_tags WHERE organization_id = $1 GROUP BY tag
  UNION ALL SELECT $1, 'conversations.' || status, 0, count(*) FROM conversations WHERE organization_id = $1 GROUP BY status`

/** `adminUrl` is a superuser's. Says how far it is. */
export const fill = async (adminUrl: string, filling: Filling, say: (text: string) => void): Promise<void> => {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  const { organizationId, contacts, messages } = filling
  const conversations = conversationsOf(filling)
  const inBatches = async (name: keyof typeof statements, rows: number, ...more: ReadonlyArray<number>) => {
    for (let from = 1; from <= rows; from += batch) {
      say(`loading ${name}: ${Math.floor((from / rows) * 100)} %`)
      await client.query(statements[name], [from, Math.min(from + batch - 1, rows), organizationId, ...more])
    }
  }
  try {
    await client.query("SET session_replication_role = replica")
    await inBatches("contacts", contacts)
    await inBatches("tags", contacts)
    await inBatches("search", contacts)
    await inBatches("conversations", conversations)
    await inBatches("messages", messages, conversations)
    await client.query(counts, [organizationId])
    for (const table of [
      "contacts",
      "contact_tags",
      "private.contact_search",
      "conversations",
      "messages",
      "list_counts"
    ]) {
      say(`vacuuming ${table}`)
      await client.query(`VACUUM (ANALYZE) ${table}`)
    }
  } finally {
    await client.end()
  }
}
