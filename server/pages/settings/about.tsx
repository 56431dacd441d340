import packageJson from '../../../package.json' with { type: 'json' };
import { pluralize } from '../../../shared/counts.ts';
import { formatFileSize } from '../../../shared/text.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { readAnchorNotice } from '../../services/audit/anchors.ts';
import { readAuditTail } from '../../services/audit/audit.ts';
import { readEngineAndSize } from '../../services/database/stats.ts';
import { NEWS } from '../ui/news.ts';

export async function renderAbout(c: AppContext) {
  const { db } = c.get('deps');
  const { lastId } = await readAuditTail(db);
  const { kind, bytes } = await readEngineAndSize(db);
  const notAnchored = await readAnchorNotice(db);
  const changes = NEWS[0]?.points ?? [];
  return (
    <>
      {notAnchored && (
        <Alert tone="warning" isDismissible={false}>
          {notAnchored}
        </Alert>
      )}
      <Facts
        facts={{
          Versión: `Saldo ${packageJson.version}`,
          'Base de datos': `${kind}, ${formatFileSize(bytes)}`,
          Bitácora: pluralize(lastId, 'anotación', 'anotaciones'),
        }}
      />
      <div className="actions">
        <LinkButton href={pages.audit} icon="history">
          Abrir la bitácora
        </LinkButton>
      </div>
      {changes.length > 0 && (
        <Disclosure summary="Qué cambió en esta versión">
          <ul className="guide-text">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  );
}
