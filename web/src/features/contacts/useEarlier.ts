/** What was said with a contact before: its latest conversations and calls. */
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"

export const useEarlierChats = (contactId: string) =>
  useQuery({
    queryKey: keys.contactChats(contactId),
    queryFn: ({ signal }) => parley.chats.list({ contactId, limit: 10 }, { signal }).then(({ data }) => data)
  })

export const useEarlierCalls = (contactId: string) =>
  useQuery({
    queryKey: keys.contactCalls(contactId),
    queryFn: ({ signal }) => parley.calls.list({ contactId, limit: 50 }, { signal }).then(({ data }) => data)
  })
