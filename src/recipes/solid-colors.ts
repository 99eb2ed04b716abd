/** The palette behind the `Solid…` recipes: number, name and value. Data only. */

export interface PaletteColor {
  /** Four digits: the last part of a `Solid{w}_{h}_{NNNN}` id. Never reused for another color. */
  readonly number: string;
  readonly name: string;
  /** sRGB, `#RRGGBB`. */
  readonly color: string;
}

/**
 * Every value survives 8-bit JPEG unchanged. JPEG stores integer YCbCr (JFIF 1.02); only about a quarter of all RGB
 * colors survive the conversion to these integers and back, and any other color would decode to a neighbor.
 * `exact-color.test.ts` checks this.
 */
export const palette: readonly PaletteColor[] = [
  { number: '0001', name: 'Black', color: '#000000' },
  { number: '0002', name: 'Ink', color: '#111217' },
  { number: '0003', name: 'Graphite', color: '#2B2C31' },
  { number: '0004', name: 'Charcoal', color: '#3D4045' },
  { number: '0005', name: 'Slate', color: '#596068' },
  { number: '0006', name: 'Steel', color: '#798088' },
  { number: '0007', name: 'Cool gray', color: '#99A0A8' },
  { number: '0008', name: 'Silver', color: '#BCC1C7' },
  { number: '0009', name: 'Mist', color: '#D9DCE1' },
  { number: '0010', name: 'Cloud', color: '#EDEEF0' },
  { number: '0011', name: 'Taupe', color: '#8C857B' },
  { number: '0012', name: 'Stone', color: '#ABA396' },
  { number: '0013', name: 'Pebble', color: '#C9C2B8' },
  { number: '0014', name: 'Oat', color: '#DFD8CE' },
  { number: '0015', name: 'Linen', color: '#ECE8DF' },
  { number: '0016', name: 'Sand', color: '#DCC9AB' },
  { number: '0017', name: 'Camel', color: '#C09A6B' },
  { number: '0018', name: 'Biscuit', color: '#E8D8C1' },
  { number: '0019', name: 'Cream', color: '#F6EFDF' },
  { number: '0020', name: 'Ivory', color: '#FBF8EF' },
  { number: '0021', name: 'Espresso', color: '#3B2A22' },
  { number: '0022', name: 'Chestnut', color: '#6B4030' },
  { number: '0023', name: 'Terracotta', color: '#C06749' },
  { number: '0024', name: 'Oxblood', color: '#5B1923' },
  { number: '0025', name: 'Burgundy', color: '#7A2238' },
  { number: '0026', name: 'Navy', color: '#16243F' },
  { number: '0027', name: 'Midnight', color: '#0E1528' },
  { number: '0028', name: 'Petrol', color: '#10424B' },
  { number: '0029', name: 'Forest', color: '#1E3A2C' },
  { number: '0030', name: 'Aubergine', color: '#3A213F' },
  { number: '0031', name: 'Snow', color: '#FAFAFC' },
  { number: '0032', name: 'Porcelain', color: '#F5F5F7' },
  { number: '0033', name: 'Pearl', color: '#F1F0EC' },
  { number: '0034', name: 'Chalk', color: '#F7F6F2' },
  { number: '0035', name: 'White', color: '#FFFFFF' },
  { number: '0036', name: 'Signal red', color: '#D92B2A' },
  { number: '0037', name: 'Coral', color: '#F36B5B' },
  { number: '0038', name: 'Tangerine', color: '#F5892E' },
  { number: '0039', name: 'Sunflower', color: '#F6C52B' },
  { number: '0040', name: 'Lemon', color: '#F7E65A' },
  { number: '0041', name: 'Lime', color: '#A7CF38' },
  { number: '0042', name: 'Green', color: '#00B140' },
  { number: '0043', name: 'Emerald', color: '#0E9062' },
  { number: '0044', name: 'Teal', color: '#0F8B8D' },
  { number: '0045', name: 'Sky', color: '#4FB3E7' },
  { number: '0046', name: 'Cobalt', color: '#2453C7' },
  { number: '0047', name: 'Violet', color: '#6A40C0' },
  { number: '0048', name: 'Magenta', color: '#C9358B' },
  { number: '0049', name: 'Blush', color: '#F4D9D2' },
  { number: '0050', name: 'Rose', color: '#EDBFC2' },
  { number: '0051', name: 'Peach', color: '#F9D5BB' },
  { number: '0052', name: 'Apricot', color: '#F3BE94' },
  { number: '0053', name: 'Butter', color: '#F9ECC0' },
  { number: '0054', name: 'Pistachio', color: '#DCE6C3' },
  { number: '0055', name: 'Sage', color: '#B7C5AC' },
  { number: '0056', name: 'Mint', color: '#CCE8DC' },
  { number: '0057', name: 'Aqua', color: '#CAE6EA' },
  { number: '0058', name: 'Powder blue', color: '#D0DDEE' },
  { number: '0059', name: 'Periwinkle', color: '#C5C9EC' },
  { number: '0060', name: 'Lilac', color: '#DDD0EA' },
];
