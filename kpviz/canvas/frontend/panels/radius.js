// How large a point is: it grows with what was learnt from it.

export function pointRadius(run, i, t, scale) {
  const { tokens, pointGain, alphaUnit, about } = run.header;
  if (run.stream) return tokens.point.radius * (run.alphaOf(i, t) ? tokens.stream.grown : 1) * scale;
  const level = about.counts ? run.trace.mistakesOn(i, t) : Math.abs(run.alphaOf(i, t)) / alphaUnit;
  return (tokens.point.radius + pointGain * Math.sqrt(level)) * scale;
}
