/** `/gallery`: the components beside each other, to look at them in both themes and languages. */
import { Check, Clock, Phone } from "lucide-react"
import { useState } from "react"
import { Avatar } from "../components/Avatar.tsx"
import { Button } from "../components/Button.tsx"
import { Chip, type ChipTone } from "../components/Chip.tsx"
import { Input, Select, TextArea } from "../components/Field.tsx"
import { PageHead } from "../components/Page.tsx"
import { Segmented } from "../components/Segmented.tsx"
import { Sparkline } from "../components/Sparkline.tsx"
import { Empty } from "../components/States.tsx"
import { LanguageChoice } from "../features/session/LanguageChoice.tsx"
import { t } from "../lib/i18n.ts"
import { chooseTheme } from "../lib/theme.ts"

const tones: ReadonlyArray<ChipTone> = ["plain", "good", "warn", "danger", "ai", "contact", "accent"]

const Gallery = () => {
  const [side, setSide] = useState<"a" | "b">("a")
  return (
    <main className="min-h-full bg-surface">
      <PageHead title="Gallery">
        <LanguageChoice />
        <Button small onClick={() => chooseTheme("light")}>
          {t("Light")}
        </Button>
        <Button small onClick={() => chooseTheme("dark")}>
          {t("Dark")}
        </Button>
      </PageHead>
      <div className="mx-auto flex max-w-[720px] flex-col gap-6 p-6">
        <div className="flex flex-wrap gap-2">
          <Button tone="primary" keys="Ctrl ↵">
            {t("Send")}
          </Button>
          <Button icon={Check}>{t("Resolve")}</Button>
          <Button tone="quiet">{t("Template")}</Button>
          <Button tone="danger">{t("Erase contact")}</Button>
          <Button tone="ai">{t("Assign")}</Button>
          <Button icon={Phone} label={t("Call")} />
          <Button disabled>{t("Save")}</Button>
        </div>
        <div className="flex flex-wrap gap-2">
          {tones.map((tone) => (
            <Chip key={tone} tone={tone} icon={Clock}>
              {tone}
            </Chip>
          ))}
        </div>
        <div className="flex gap-2">
          <Avatar name="Asha Rao" />
          <Avatar name="Meera Kapoor" who="human" />
          <Avatar name="Reception" who="ai" />
          <Avatar name="Asha Rao" size="l" />
          <Avatar name="Asha Rao" size="s" />
        </div>
        <Sparkline values={[3, 5, 2, 8, 6, 9, 4]} />
        <Segmented
          label={t("Write to")}
          value={side}
          options={[
            { value: "a", label: t("Reply"), keys: "R" },
            { value: "b", label: t("Note"), keys: "N" }
          ]}
          onChange={setSide}
        />
        <Input label={t("Name")} defaultValue="Asha Rao" />
        <Input label={t("Phone")} defaultValue="12" problem={t("Something went wrong.")} />
        <Select label={t("Direction")} options={[["inbound", t("Inbound")]]} />
        <TextArea label={t("Note")} rows={3} />
        <Empty title={t("No calls yet.")}>{t("Give an agent a number, or place a call.")}</Empty>
      </div>
    </main>
  )
}

export default Gallery
