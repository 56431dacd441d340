import { Button } from '../../../shared/ui/Button.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';

interface AskProps {
  summary: string;
  question: string;
  /** where the answer is posted to */
  action: string;
  /** of the row, as it was shown; none where only its being there matters */
  version?: string;
  button: string;
}

/** A step that asks before it is done, with or without script. */
export function Ask({ summary, question, action, version, button }: AskProps) {
  return (
    <details className="disclosure">
      <summary>
        <Icon name="chevron" />
        {summary}
      </summary>
      <form method="post" action={action} className="stack" data-busy="">
        {version !== undefined && <input type="hidden" name="version" value={version} />}
        <p>{question}</p>
        <div className="actions">
          <Button look="danger">{button}</Button>
        </div>
      </form>
    </details>
  );
}
