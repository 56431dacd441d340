/** A phone shows suppliers folded. Until this runs the stylesheet hides their invoices, so that nothing moves. */
function foldSuppliers(): void {
  const table = document.querySelector<HTMLElement>('.balances:not([data-folded])');
  if (!table) return;
  const suppliers = table.querySelectorAll('details');
  if (suppliers.length > 1 && matchMedia('(width < 48em)').matches)
    for (const supplier of suppliers) supplier.open = false;
  table.dataset.folded = '';
}

foldSuppliers();
addEventListener('saldo:content', foldSuppliers);

export {};
