import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { LeaveLink } from '../../../shared/ui/LeaveLink.tsx';
import { OwnPasswordField } from '../../../shared/ui/OwnPasswordField.tsx';
import { REAUTHENTICATION_CODE, requirePasswordConfirmation } from '../../http/confirmation.ts';
import { readForm } from '../../http/request.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import { handleParsedForm, renderPage } from '../../shell/render.tsx';
import { StepForm } from './step-form.tsx';

interface PasswordPageOptions {
  /** the posted form, if it was read before */
  form?: Record<string, string>;
  /** title of the page that asks for the password */
  title: string;
  button: string;
  /** what the step will do */
  note?: string;
  back: string;
  needsPassword?: boolean;
}

/** A separate page asks for the password and posts the form again, so that forms need no field for it. */
export async function handleFormWithPassword(
  c: AppContext,
  { form, needsPassword = true, title, button, note, back }: PasswordPageOptions,
  renderRefused: Parameters<typeof handleParsedForm>[2],
  handle: Parameters<typeof handleParsedForm>[3],
): Promise<Response> {
  let isConfirmed = !needsPassword;
  const renderConfirmation: typeof renderRefused = (_, refused) => {
    if (isConfirmed) return renderRefused(c, refused);
    const { problem, status, values } = refused;
    const { currentpassword: _password, ...fields } = values;
    const isUntouched = problem.code === REAUTHENTICATION_CODE;
    return renderPage(
      c,
      { title, status },
      <StepForm
        action={c.req.path}
        hidden={fields}
        fields={<OwnPasswordField error={isUntouched ? undefined : problem.fields?.currentpassword} focus />}
        buttons={
          <>
            <Button look="primary">{button}</Button>
            <LeaveLink href={back} />
          </>
        }
      >
        {!isUntouched && <Alert tone="error">{problem.message}</Alert>}
        {note && <p>{note}</p>}
        <input hidden readOnly autoComplete="username" value={requireSession(c).username} />
      </StepForm>,
    );
  };
  return handleParsedForm(c, form ?? (await readForm(c)), renderConfirmation, async (request) => {
    if (!isConfirmed) await requirePasswordConfirmation(c, request.form.currentpassword);
    isConfirmed = true;
    return handle(request);
  });
}
