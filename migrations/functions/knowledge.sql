-- For a worker, which serves every organization: where there is work, and nothing of what it is.
CREATE OR REPLACE FUNCTION due_knowledge_sources(at timestamptz, most integer)
  RETURNS TABLE (organization_id text, id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'due', true);
  RETURN QUERY SELECT s.organization_id, s.id FROM knowledge_sources s WHERE s.due_at <= at ORDER BY s.due_at LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION due_knowledge_sources(timestamptz, integer) FROM PUBLIC;

-- The same for vectors. `vectors_model <> wanted` would not use the index.
CREATE OR REPLACE FUNCTION unembedded_knowledge_sources(wanted text, at timestamptz, most integer)
  RETURNS TABLE (organization_id text, id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'due', true);
  RETURN QUERY SELECT s.organization_id, s.id FROM knowledge_sources s
    WHERE s.passages > 0 AND (s.vectors_model IS NULL OR s.vectors_model < wanted OR s.vectors_model > wanted)
      AND (s.vectors_due_at IS NULL OR s.vectors_due_at <= at)
    ORDER BY s.synced_at LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION unembedded_knowledge_sources(text, timestamptz, integer) FROM PUBLIC;

-- The passages that have the asked words, the best first. Each word is looked up as it is and as its stem in the languages
-- of the sources; one that no passage has is looked up by its pieces of three letters. A word counts the more the fewer
-- passages have it (BM25), as if there were 20 more without it: in a small knowledge base every word would be frequent. One
-- that no passage has counts half of the rarest. `possible` is the score of a passage in which every asked word counts fully.
--
-- It runs as its caller, under row-level security: all look-ups are by equality.
CREATE OR REPLACE FUNCTION search_knowledge(bases text[], asked text[], most integer)
  RETURNS TABLE (base_id text, source_id text, number integer, title text, headings text[], text text, url text,
    score double precision, possible double precision)
  LANGUAGE sql STABLE SET plan_cache_mode = force_custom_plan AS $$
  WITH sources AS MATERIALIZED (
    SELECT s.dictionaries, s.passages FROM knowledge_sources s
      WHERE s.organization_id = current_setting('app.organization_id', true) AND s.knowledge_base_id = ANY (bases)),
  dictionaries AS MATERIALIZED (
    SELECT DISTINCT unnest(s.dictionaries)::regdictionary AS dictionary FROM sources s),
  words AS MATERIALIZED (
    SELECT a.word, ARRAY(SELECT DISTINCT unnest(ts_lexize(d.dictionary, a.word)) FROM dictionaries d) || a.word AS forms
      FROM unnest(asked) AS a (word)
      WHERE NOT EXISTS (SELECT 1 FROM dictionaries d WHERE ts_lexize(d.dictionary, a.word) = '{}')),
  exact AS MATERIALIZED (
    SELECT a.word, w.knowledge_base_id, w.source_id, p.number, max(p.weight) AS weight
      FROM words a CROSS JOIN unnest(a.forms) AS f (form)
      JOIN knowledge_words w ON w.organization_id = current_setting('app.organization_id', true)
        AND w.knowledge_base_id = ANY (bases) AND w.word = f.form
      CROSS JOIN unnest(w.numbers, w.weights) AS p (number, weight)
      GROUP BY 1, 2, 3, 4),
  unknown AS MATERIALIZED (
    SELECT a.word, ARRAY(SELECT DISTINCT substr('  ' || a.word || ' ', n, 3) FROM generate_series(1, length(a.word) + 1) AS n) AS pieces
      FROM words a WHERE length(a.word) >= 4 AND a.word !~ '^[0-9]+$' AND a.word NOT IN (SELECT e.word FROM exact e)),
  alike AS MATERIALIZED (
    SELECT word, form, likeness FROM (
      SELECT u.word, f.form, 2.0 * count(DISTINCT k.piece) / (cardinality(u.pieces) + length(f.form) + 1) AS likeness,
        row_number() OVER (PARTITION BY u.word ORDER BY 2.0 * count(DISTINCT k.piece) / (length(f.form) + 1 + cardinality(u.pieces)) DESC, f.form) AS place
      FROM unknown u CROSS JOIN unnest(u.pieces) AS p (piece)
      JOIN knowledge_pieces k ON k.organization_id = current_setting('app.organization_id', true)
        AND k.knowledge_base_id = ANY (bases) AND k.piece = p.piece
      CROSS JOIN unnest(k.words) AS f (form)
      WHERE abs(length(f.form) - length(u.word)) <= 3
      GROUP BY u.word, u.pieces, f.form) l
    WHERE likeness >= 0.5 AND place <= 3),
  near AS (
    SELECT a.word, w.knowledge_base_id, w.source_id, p.number, max(p.weight * a.likeness) AS weight
      FROM alike a
      JOIN knowledge_words w ON w.organization_id = current_setting('app.organization_id', true)
        AND w.knowledge_base_id = ANY (bases) AND w.word = a.form
      CROSS JOIN unnest(w.numbers, w.weights) AS p (number, weight)
      GROUP BY 1, 2, 3, 4),
  hits AS MATERIALIZED (SELECT * FROM exact UNION ALL SELECT * FROM near),
  rarity AS MATERIALIZED (
    SELECT a.word, CASE WHEN h.having IS NULL THEN 0.5 ELSE 1 END
        * ln(1 + (n.passages + 20 - coalesce(h.having, 0) + 0.5) / (coalesce(h.having, 0) + 0.5)) AS counts
      FROM words a CROSS JOIN (SELECT coalesce(sum(s.passages), 0) AS passages FROM sources s) n
      LEFT JOIN (SELECT h.word, count(*) AS having FROM hits h GROUP BY 1) h ON h.word = a.word),
  best AS MATERIALIZED (
    SELECT h.knowledge_base_id, h.source_id, h.number, sum(h.weight * r.counts) AS score
      FROM hits h JOIN rarity r ON r.word = h.word
      GROUP BY 1, 2, 3 ORDER BY 4 DESC, 2, 3 LIMIT most)
  SELECT b.knowledge_base_id, b.source_id, b.number, p.title, p.headings, p.text, p.url, b.score::double precision,
      (SELECT sum(r.counts) FROM rarity r)::double precision
    FROM best b JOIN knowledge_passages p ON p.organization_id = current_setting('app.organization_id', true)
      AND p.source_id = b.source_id AND p.number = b.number
    ORDER BY b.score DESC, b.source_id, b.number
$$;
