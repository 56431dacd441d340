import type { FormEventHandler, ReactNode, Ref } from 'react';

/** What the page hands to an island with such a form. */
export interface PostedForm<Values> {
  action: string;
  back: string;
  /** posted along: version, idempotencyKey */
  hidden: Record<string, string>;
  /** what stands in the fields, as typed */
  values: Values;
  /** message by field */
  errors: Partial<Record<string, string>>;
}

interface PostFormProps {
  action: string;
  hidden: Readonly<Record<string, string>>;
  onInput?: FormEventHandler<HTMLFormElement>;
  formRef?: Ref<HTMLFormElement>;
  children: ReactNode;
}

/** The native form of an island that has amounts: it is the browser that posts it, with or without script. */
export function PostForm({ action, hidden, onInput, formRef, children }: PostFormProps) {
  return (
    <form
      ref={formRef}
      method="post"
      action={action}
      className="form with-amounts"
      data-busy=""
      noValidate
      onInput={onInput}
      suppressHydrationWarning // the loader marks a form that is being sent, perhaps before React comes
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
