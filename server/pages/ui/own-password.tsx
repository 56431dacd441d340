import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { OwnPassword } from '../../../shared/ui/OwnPassword.tsx';
import { REAUTHENTICATION, requireConfirmation } from '../../http/confirmation.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import { answerForm, renderPage } from '../../shell/render.tsx';

interface Confirmed {
  /** as it was posted: it is sent once more with the password */
  form: Readonly<Record<string, string>>;
  /** of the page that asks for it */
  title: string;
  /** of its button, which does what was pressed before */
  button: string;
  /** where it leads who thinks better of it */
  back: string;
  /** false: this time there is nothing in it that asks for the password */
  asks?: boolean;
}

/**
 * Answers a posted form whose change asks for the own password again: on a page of its own, which sends on what was
 * sent, so that no other form has to carry that field.
 */
export function answerConfirmed(
  c: AppContext,
  { asks = true, form, title, button, back }: Confirmed,
  save: Parameters<typeof answerForm>[1],
  again: Parameters<typeof answerForm>[2],
): Promise<Response> {
  let isConfirmed = !asks;
  const confirm = async () => {
    if (!isConfirmed) await requireConfirmation(c, form.currentpassword);
    isConfirmed = true;
    return save();
  };
  return answerForm(c, confirm, (problem, status) => {
    if (isConfirmed) return again(problem, status);
    const { currentpassword: _, ...fields } = form;
    return renderPage(
      c,
      { title, status },
      <form method="post" action={c.req.path} className="form" data-busy="" noValidate>
        <Alert tone={problem.code === REAUTHENTICATION ? 'info' : 'error'}>{problem.message}</Alert>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input hidden readOnly autoComplete="username" value={requireSession(c).username} />
        <div className="fields">
          <OwnPassword error={problem.fields?.currentpassword} />
        </div>
        <div className="form-actions">
          <Button look="primary">{button}</Button>
          <LinkButton href={back}>Regresar</LinkButton>
        </div>
      </form>,
    );
  });
}
