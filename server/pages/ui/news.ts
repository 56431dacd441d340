/** What people notice of each version, the newest first. */
export const NEWS: readonly { version: string; points: readonly string[] }[] = [
  {
    version: '0.1.0',
    points: [
      'Presupuesto por obra y rubro: se captura como en una hoja de cálculo, y al capturar una factura se ve si lo excede.',
      'Programación de pagos: se eligen las facturas de la semana, otra persona las autoriza y se pagan todas juntas; un semáforo detiene lo que no debe pagarse.',
      'Cierre de mes: se revisa lo que falta y se cierra; lo de un periodo cerrado solo lo cambia un administrador, con un motivo.',
      'Resultados dice cuánto cuesta cada obra, por facturado o por pagado, con IVA o sin él, y sus rubros mes por mes.',
      'Tablero: lo vencido por su antigüedad, lo de esta semana y lo que sigue, y a quién se le debe más. Cada cifra lleva a lo que la forma.',
      'Estado de cuenta de cada proveedor y aviso de pago en PDF, con la carta para enviarlos por correo.',
      'Bitácora: quién capturó, cambió o eliminó qué, en palabras, y la historia de cada registro desde su página.',
      'Configuración por secciones, con los valores anteriores de cada ajuste, el logotipo de la empresa y respaldos que se hacen y descargan ahí.',
      'Las notificaciones dicen también de facturas parecidas, REP que faltan, respaldos viejos y meses sin cerrar, y se pueden posponer.',
      'Vistas en cada lista, con su cuenta y su suma, y las propias; filas densas para quien las quiera.',
      'Cargar XML toma muchos archivos y zips a la vez, y los revisa juntos antes de guardar.',
      'Lo eliminado se recupera con Deshacer: facturas, pagos, movimientos de caja y registros de las listas.',
      'La ayuda tiene una página para cada pantalla y cada tarea, se busca en ella, y explica cada mensaje de error.',
    ],
  },
];
