/** Everything that is known of a contact, as a file: made in the background, and kept for 7 days. */
import type { ContactExport } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Download } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Icon } from "../../components/Icon.tsx"
import { moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { sayProblem } from "../../lib/toasts.ts"

const askEveryMs = 2_000

export const ExportCard = ({ id }: { readonly id: string }) => {
  const client = useQueryClient()
  const { data } = useQuery<ContactExport>({
    queryKey: keys.contactExport(id),
    // Asked for once one is being made: before that there is mostly none.
    enabled: client.getQueryData(keys.contactExport(id)) !== undefined,
    queryFn: ({ signal }) => parley.contactExports.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === "queued" ? askEveryMs : false)
  })
  const request = async () => {
    try {
      client.setQueryData(keys.contactExport(id), await parley.contactExports.request(id))
    } catch (cause) {
      sayProblem(cause)
    }
  }
  return (
    <Card title={t("All data of this contact")}>
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="min-w-0 flex-1 basis-60 text-ink-2">
          {data === undefined
            ? t(
                "Messages, calls, recordings, consents and files as one ZIP file, for whoever asks what is known of them."
              )
            : data.status === "queued"
              ? t("The file is being made…")
              : data.status === "failed"
                ? t("The file could not be made. Please try again.")
                : t("Made {time}.", { time: moment(data.createdAt) })}
        </p>
        {data?.status === "completed" && data.file !== null && (
          <a href={data.file} download className={buttonClass({ small: true })}>
            <Icon of={Download} size={14} /> {t("Download")}
          </a>
        )}
        {data?.status !== "queued" && (
          <Button small onClick={() => void request()}>
            {data === undefined ? t("Make the file") : t("Make it anew")}
          </Button>
        )}
      </div>
    </Card>
  )
}
