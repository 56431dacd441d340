import packageJson from '../../../package.json' with { type: 'json' };
import { sizeText } from '../../../shared/text.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { anchorNotice } from '../../services/audit/anchors.ts';
import { readAuditTail } from '../../services/audit/audit.ts';
import { readAbout } from '../../services/database/stats.ts';
import { NEWS } from '../ui/news.ts';
import { Section } from './sections.tsx';

/** The audit trail's end, and what this installation is. */
export async function renderAbout(c: AppContext) {
  const { db } = c.get('deps');
  const { lastId, lastHash } = await readAuditTail(db);
  const { kind, bytes } = await readAbout(db);
  const notAnchored = await anchorNotice(db);
  const changes = NEWS[0]?.points ?? [];
  return (
    <>
      <Section title="Bitácora">
        <p>
          Quién capturó, cambió o eliminó qué: {lastId.toLocaleString('en-US')}{' '}
          {lastId === 1 ? 'anotación' : 'anotaciones'}
          {lastHash && (
            <>
              , la última con la huella <code className="chain">{lastHash}</code>
            </>
          )}
          .
        </p>
        {notAnchored && (
          <Alert tone="warning" dismissible={false}>
            {notAnchored}
          </Alert>
        )}
        <div className="actions">
          <LinkButton href={pages.audit} icon="history">
            Abrir la bitácora
          </LinkButton>
          <LinkButton href={withQuery(pages.audit, { comprobar: 1 })} icon="check">
            Comprobar la cadena
          </LinkButton>
        </div>
      </Section>
      <Section title="Acerca de">
        <p>
          Saldo {packageJson.version} · {kind} · {sizeText(bytes)}
        </p>
        {changes.length > 0 && (
          <details className="disclosure">
            <summary>
              <Icon name="chevron" />
              Qué cambió en esta versión
            </summary>
            <ul className="guide-text">
              {changes.map((change) => (
                <li key={change}>{change}</li>
              ))}
            </ul>
          </details>
        )}
      </Section>
    </>
  );
}
