/** The rules that @n8n/node-cli 0.48.3 sets for community nodes, but for those that look for installed packages. */
import js from "@eslint/js"
import { n8nCommunityNodesPlugin } from "@n8n/eslint-plugin-community-nodes"
import { globalIgnores } from "eslint/config"
import importX from "eslint-plugin-import-x"
import n8nNodesBase from "eslint-plugin-n8n-nodes-base"
import tseslint from "typescript-eslint"

const community = n8nCommunityNodesPlugin.configs.recommended
const off = (...names) => Object.fromEntries(names.map((name) => [`n8n-nodes-base/${name}`, "off"]))

export default tseslint.config(
  globalIgnores(["dist"]),
  {
    files: ["**/*.ts"],
    extends: [js.configs.recommended, tseslint.configs.recommended, community, importX.flatConfigs.recommended],
    rules: { "prefer-spread": "off", "no-console": "error", "import-x/no-unresolved": "off" }
  },
  { plugins: { "n8n-nodes-base": n8nNodesBase } },
  {
    files: ["package.json"],
    extends: [community],
    rules: n8nNodesBase.configs.community.rules,
    languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: [".json"] } }
  },
  {
    files: ["./credentials/**/*.ts"],
    rules: {
      ...n8nNodesBase.configs.credentials.rules,
      ...off("cred-class-field-documentation-url-miscased", "cred-class-field-type-options-password-missing")
    }
  },
  {
    files: ["./nodes/**/*.ts"],
    rules: {
      ...n8nNodesBase.configs.nodes.rules,
      ...off(
        "node-class-description-inputs-wrong-regular-node",
        "node-class-description-outputs-wrong",
        "node-param-type-options-max-value-present"
      )
    }
  }
)
