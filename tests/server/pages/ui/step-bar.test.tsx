import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NextActionBar, StepButton } from '../../../../server/pages/ui/step-bar.tsx';
import { Chip } from '../../../../shared/ui/Chip.tsx';

const bar = (more: (string | false)[], isOpen = false) =>
  renderToStaticMarkup(
    <NextActionBar
      label="Siguiente paso"
      state={
        <Chip tone="neutral" mark="open">
          Borrador
        </Chip>
      }
      sum={{ label: '2 facturas', cents: 216_000 }}
      missingText="Falta autorizar."
      nextAction={
        <StepButton action="/programaciones/1/autorizar" hidden={{ version: '3' }} look="primary">
          Autorizar
        </StepButton>
      }
      moreActions={more}
      isOpen={isOpen}
    />,
  );

test('the step bar of a document shows its state with a shape and a word, its sum, what is missing, and the next step', () => {
  const html = bar([]);
  expect(html).toContain('<span class="mark open"></span>Borrador');
  expect(html).toMatch(/2 facturas.*\$2,160\.00.*Falta autorizar\./);
  expect(html).toMatch(
    /action="\/programaciones\/1\/autorizar"[^>]*>.*name="version" value="3".*<button class="btn btn-primary">Autorizar/,
  );
  expect(html).not.toContain('Más acciones');
});

test('the other steps are folded behind a button that needs no script, until one of them is refused', () => {
  const folded = bar([false, 'Volver a borrador', 'Eliminar']);
  const [, target] = /popovertarget="([^"]+)"/i.exec(folded) ?? [];
  expect(folded).toMatch(
    new RegExp(`id="${target}" popover="auto"><div>Volver a borrador</div><div>Eliminar`),
  );
  const refused = bar(['Volver a borrador'], true);
  expect(refused).toContain('Volver a borrador');
  expect(refused).not.toContain('popover="auto"');
  expect(refused).not.toContain('Más acciones');
});
