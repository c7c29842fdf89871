/** A button that copies a text, and says so. */
import { Copy } from "lucide-react"
import { useState } from "react"
import { copyText } from "../lib/copyText.ts"
import { t } from "../lib/i18n.ts"
import { Button, type ButtonProps } from "./Button.tsx"

interface CopyButtonProps extends Pick<ButtonProps, "small" | "tone" | "className"> {
  readonly text: string
  /** What is copied. With it the button is an icon, and without it a word. */
  readonly name?: string
}

export const CopyButton = ({ text, name, ...look }: CopyButtonProps) => {
  const [copied, setCopied] = useState(false)
  const copy = () => void copyText(text).then(setCopied)
  if (name !== undefined)
    return <Button {...look} icon={Copy} label={copied ? t("Copied.") : t("Copy {name}", { name })} onClick={copy} />
  return (
    <Button {...look} icon={Copy} onClick={copy}>
      {copied ? t("Copied.") : t("Copy")}
    </Button>
  )
}
