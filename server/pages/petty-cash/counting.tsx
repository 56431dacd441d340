import { Hono } from 'hono';
import { DomainError } from '../../../shared/errors.ts';
import { DENOMINATIONS } from '../../../shared/petty-cash-counts.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { pages } from '../../../shared/urls.ts';
import { createOnce, idInPath } from '../../http/request.ts';
import type { AppEnv } from '../../http/session.ts';
import { countCash, settleCount } from '../../services/petty-cash/counting.ts';
import { parseShape } from '../../shapes/fields.ts';
import { countShape, settleShape } from '../../shapes/petty-cash.ts';
import { redirectWith, takeForm } from '../../shell/render.tsx';
import { piecesName, renderCount, renderCounting } from './count.tsx';

const ID = ':id{[0-9]+}';

/** Counting a box, blind, and taking what is different into the books. */
export const pettyCashCountPages = new Hono<AppEnv>({ strict: false })
  .get(pages.pettyCashCounts(ID), (c) => renderCounting(c, { values: {} }))
  .post(pages.pettyCashCounts(ID), (c) =>
    takeForm(c, renderCounting, async ({ form, actor }) => {
      const { sorpresa, comments } = parseShape(countShape, {
        sorpresa: form.sorpresa,
        comments: form.comments,
      });
      const draft = { denominaciones: readPieces(form), sorpresa, comments };
      const { id } = await createOnce(c, form, async (trx) => ({
        id: (await countCash(trx, actor, idInPath(c), draft)).id,
      }));
      return redirectWith(c, pages.pettyCashCount(id), texts.counted);
    }),
  )
  .get(pages.pettyCashCount(ID), (c) => renderCount(c))
  .post(pages.settlePettyCashCount(ID), (c) =>
    takeForm(c, renderCount, async ({ form, db, actor }) => {
      const { motivo = '' } = parseShape(settleShape, { motivo: form.motivo });
      const { movement } = await settleCount(db, actor, idInPath(c), motivo);
      return redirectWith(c, pages.pettyCashFund(movement.fundId), texts.adjusted(movement.importeCents));
    }),
  );

/**
 * How many of each were typed; a sheet on which nothing was typed is none.
 * @throws DomainError invalid, naming each that is no number
 */
function readPieces(form: Readonly<Record<string, string>>): Record<string, number> {
  const pieces: Record<string, number> = {};
  const wrong: Record<string, string> = {};
  for (const one of DENOMINATIONS) {
    const typed = form[piecesName(one)]?.trim() ?? '';
    if (typed === '') continue;
    if (/^\d{1,5}$/.test(typed)) pieces[one] = Number(typed);
    else wrong[piecesName(one)] = texts.pieces(one);
  }
  const [first] = Object.values(wrong);
  if (first) throw new DomainError('invalid', first, { fields: wrong });
  return pieces;
}
