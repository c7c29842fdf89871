/** What an assistant needs to work here: the configuration to copy, by the way it connects. */
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useSession } from "../../../api/session.tsx"
import { Card } from "../../../components/Card.tsx"
import { Checkbox } from "../../../components/Checkbox.tsx"
import { Segmented } from "../../../components/Segmented.tsx"
import { can } from "../../../lib/can.ts"
import { message, t } from "../../../lib/i18n.ts"
import { Code } from "../parts/Code.tsx"

const ways = {
  http: {
    name: message("Over the network"),
    about: message("Most assistants: they sign in by themselves, or with a key.")
  },
  sse: { name: message("Older assistants"), about: message("Those that know only event streams.") },
  stdio: { name: message("As a program"), about: message("Those that start a program on one's own machine.") }
} as const
type Way = keyof typeof ways

/** As the clients read it: `docs/mcp.md`. */
const configuration = (way: Way, origin: string, withKey: boolean, readonly: boolean): object => {
  if (way === "stdio") {
    const args = ["mcp", "--url", origin, ...(readonly ? ["--readonly"] : [])]
    return { command: "parley", args, env: { PARLEY_API_KEY: "mk_…" } }
  }
  const headers = {
    ...(withKey ? { Authorization: "Bearer mk_…" } : {}),
    ...(readonly ? { "X-Mcp-Readonly": "1" } : {})
  }
  return {
    type: way,
    url: `${origin}/api/mcp${way === "sse" ? "/sse" : ""}`,
    ...(Object.keys(headers).length === 0 ? {} : { headers })
  }
}

export const ConnectCard = () => {
  const mayConnect = can(useSession(), "mcp")
  const [way, setWay] = useState<Way>("http")
  const [withKey, setWithKey] = useState(false)
  const [readonly, setReadonly] = useState(false)
  const parley = configuration(way, location.origin, withKey, readonly)
  return (
    <Card title={t("Connect an assistant")}>
      <p className="text-ink-2">
        {t(
          "An assistant that speaks MCP sees the tools that it was allowed, and works here by the rules of this service."
        )}
      </p>
      <Segmented
        label={t("How it connects")}
        value={way}
        options={(Object.keys(ways) as ReadonlyArray<Way>).map((value) => ({ value, label: t(ways[value].name) }))}
        onChange={setWay}
      />
      <p className="text-small text-ink-3">{t(ways[way].about)}</p>
      <div>
        {way !== "stdio" && (
          <Checkbox
            label={t("With an API key")}
            detail={t("without one a person signs in and says what the assistant may do")}
            checked={withKey}
            onChange={setWithKey}
          />
        )}
        <Checkbox label={t("Only tools that change nothing")} checked={readonly} onChange={setReadonly} />
      </div>
      <Code label={t("Configuration")} text={JSON.stringify({ mcpServers: { parley } }, null, 2)} />
      <p className="text-small text-ink-3">
        {mayConnect
          ? t("A key for it needs the scope mcp.")
          : t("Only an owner allows an assistant something, or makes a key for it.")}{" "}
        {mayConnect && (
          <Link to="/settings/keys" className="text-accent underline">
            {t("To the API keys")}
          </Link>
        )}
      </p>
    </Card>
  )
}
