import { Field } from "../ui/field";

/** A plain form: the page with the code in its address does the rest. */
export function CodeForm({ code, problem }: { code: string; problem: string | null }) {
  return (
    <form action="/device" method="get" className="space-y-4">
      <Field
        label="Code"
        name="code"
        defaultValue={code}
        required
        maxLength={20}
        placeholder="BCDF-GHJK"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={problem}
      />
      <button type="submit" className="btn w-full" data-kind="primary">
        Continue
      </button>
    </form>
  );
}
