import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Leave } from '../../../shared/ui/Leave.tsx';
import { OwnPassword } from '../../../shared/ui/OwnPassword.tsx';
import { REAUTHENTICATION, requireConfirmation } from '../../http/confirmation.ts';
import { readForm } from '../../http/request.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import { renderPage, takeFields } from '../../shell/render.tsx';
import { StepForm } from './step-form.tsx';

interface Asking {
  /** the posted form, where it was read already */
  form?: Record<string, string>;
  /** of the page that asks for it */
  title: string;
  /** of its button, which does what was pressed before */
  button: string;
  /** leads back without the change */
  back: string;
  /** false where this change takes no password */
  asks?: boolean;
}

/**
 * Takes a posted form whose change asks for the user's password again. A page of its own asks for it and submits the
 * form, so that no other form needs that field.
 */
export async function takeConfirmed(
  c: AppContext,
  { form, asks = true, title, button, back }: Asking,
  again: Parameters<typeof takeFields>[2],
  take: Parameters<typeof takeFields>[3],
): Promise<Response> {
  let isConfirmed = !asks;
  const askOr: typeof again = (_, refused) => {
    if (isConfirmed) return again(c, refused);
    const { problem, status, values } = refused;
    const { currentpassword: _password, ...fields } = values;
    return renderPage(
      c,
      { title, status },
      <StepForm
        action={c.req.path}
        hidden={fields}
        fields={<OwnPassword error={problem.fields?.currentpassword} />}
        buttons={
          <>
            <Button look="primary">{button}</Button>
            <Leave href={back} />
          </>
        }
      >
        <Alert tone={problem.code === REAUTHENTICATION ? 'info' : 'error'}>{problem.message}</Alert>
        <input hidden readOnly autoComplete="username" value={requireSession(c).username} />
      </StepForm>,
    );
  };
  return takeFields(c, form ?? (await readForm(c)), askOr, async (taken) => {
    if (!isConfirmed) await requireConfirmation(c, taken.form.currentpassword);
    isConfirmed = true;
    return take(taken);
  });
}
