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
-- So that it is as soon among a million passages, only the rarest words are looked up in all of them, until they have 4,000
-- together; the frequent ones only count for the best 60 of those. Of the pieces, too, the rarest are read.
--
-- It runs as its caller, under row-level security: all look-ups are by equality. Its plan is made once for a connection.
CREATE OR REPLACE FUNCTION search_knowledge(bases text[], asked text[], most integer)
  RETURNS TABLE (base_id text, source_id text, number integer, title text, headings text[], text text, url text,
    score double precision, possible double precision)
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off
  SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  tenant CONSTANT text := current_setting('app.organization_id', true);
  mostPostings CONSTANT integer := 4000;
  mostSources CONSTANT integer := 10;
  mostForms CONSTANT integer := 6000;
  mostCandidates CONSTANT integer := 60;
BEGIN
  RETURN QUERY
  WITH sources AS MATERIALIZED (
    SELECT s.dictionaries, s.passages FROM knowledge_sources s
      WHERE s.organization_id = tenant AND s.knowledge_base_id = ANY (bases)),
  total AS MATERIALIZED (SELECT coalesce(sum(s.passages), 0)::double precision AS passages FROM sources s),
  dictionaries AS MATERIALIZED (SELECT DISTINCT unnest(s.dictionaries)::regdictionary AS dictionary FROM sources s),
  words AS MATERIALIZED (
    SELECT a.word, ARRAY(SELECT DISTINCT unnest(ts_lexize(d.dictionary, a.word)) FROM dictionaries d) || a.word AS forms
      FROM unnest(asked) AS a (word)
      WHERE NOT EXISTS (SELECT 1 FROM dictionaries d WHERE ts_lexize(d.dictionary, a.word) = '{}')),
  exact AS MATERIALIZED (
    SELECT a.word, f.form, (SELECT sum(w.passages) FROM knowledge_words w
        WHERE w.organization_id = tenant AND w.knowledge_base_id = ANY (bases) AND w.word = f.form) AS having
      FROM words a CROSS JOIN LATERAL (SELECT DISTINCT unnest(a.forms) AS form) f),
  unknown AS MATERIALIZED (
    SELECT a.word, ARRAY(SELECT DISTINCT substr('  ' || a.word || ' ', n, 3) FROM generate_series(1, length(a.word) + 1) AS n) AS pieces
      FROM words a WHERE length(a.word) >= 4 AND a.word !~ '^[0-9]+$'
        AND NOT EXISTS (SELECT 1 FROM exact e WHERE e.word = a.word AND e.having > 0)),
  pieces AS MATERIALIZED (
    SELECT c.word, c.piece, sum(c.forms) OVER (PARTITION BY c.word ORDER BY c.forms, c.piece) AS upto,
        row_number() OVER (PARTITION BY c.word ORDER BY c.forms, c.piece) AS place
      FROM (SELECT u.word, p.piece, (SELECT sum(k.forms) FROM knowledge_pieces k
          WHERE k.organization_id = tenant AND k.knowledge_base_id = ANY (bases) AND k.piece = p.piece) AS forms
        FROM unknown u CROSS JOIN unnest(u.pieces) AS p (piece)) c
      WHERE c.forms > 0),
  spelled AS MATERIALIZED (
    SELECT DISTINCT p.word, f.form FROM pieces p
      CROSS JOIN LATERAL (
        SELECT x.form FROM knowledge_pieces k CROSS JOIN unnest(k.words) AS x (form)
          WHERE k.organization_id = tenant AND k.knowledge_base_id = ANY (bases) AND k.piece = p.piece LIMIT mostForms) f
      WHERE (p.upto <= mostForms OR p.place = 1) AND abs(length(f.form) - length(p.word)) <= 3),
  alike AS MATERIALIZED (
    SELECT l.word, l.form, l.likeness FROM (
      SELECT m.word, m.form, m.likeness, row_number() OVER (PARTITION BY m.word ORDER BY m.likeness DESC, m.form) AS place
        FROM (SELECT s.word, s.form, 2.0 * (SELECT count(*) FROM unnest(u.pieces) AS p (piece)
              WHERE position(p.piece IN '  ' || s.form || ' ') > 0) / (cardinality(u.pieces) + length(s.form) + 1) AS likeness
            FROM spelled s JOIN unknown u ON u.word = s.word) m
        WHERE m.likeness >= 0.5) l
      WHERE l.place <= 3),
  terms AS MATERIALIZED (
    SELECT e.word, e.form, 1.0 AS likeness, e.having FROM exact e WHERE e.having > 0
    UNION ALL
    SELECT a.word, a.form, a.likeness, (SELECT sum(w.passages) FROM knowledge_words w
        WHERE w.organization_id = tenant AND w.knowledge_base_id = ANY (bases) AND w.word = a.form) FROM alike a),
  rarity AS MATERIALIZED (
    SELECT a.word, h.having, CASE WHEN h.having IS NULL THEN 0.5 ELSE 1 END
        * ln(1 + (greatest(n.passages - coalesce(h.having, 0), 0) + 20.5) / (coalesce(h.having, 0) + 0.5)) AS counts
      FROM words a CROSS JOIN total n
      LEFT JOIN (SELECT t.word, max(t.having)::double precision AS having FROM terms t GROUP BY 1) h ON h.word = a.word),
  ordered AS MATERIALIZED (
    SELECT t.word, t.form, t.likeness, t.having, r.counts,
        sum(t.having) OVER (ORDER BY r.counts DESC, t.word RANGE UNBOUNDED PRECEDING) AS upto,
        dense_rank() OVER (ORDER BY r.counts DESC, t.word) AS place
      FROM terms t JOIN rarity r ON r.word = t.word),
  -- The passages of the rarest words. Of a word that is frequent although it is the rarest, some in which it counts most: any of them will do.
  found AS MATERIALIZED (
    SELECT o.word, w.knowledge_base_id, w.source_id, p.number, max(p.weight * o.likeness) * o.counts AS score
      FROM ordered o
      CROSS JOIN LATERAL (
        SELECT k.knowledge_base_id, k.source_id, k.numbers, k.weights FROM knowledge_words k
          WHERE k.organization_id = tenant AND k.knowledge_base_id = ANY (bases) AND k.word = o.form
          LIMIT CASE WHEN o.having > mostPostings THEN mostSources END) w
      CROSS JOIN LATERAL (
        SELECT x.number, x.weight FROM unnest(w.numbers, w.weights) AS x (number, weight)
          ORDER BY x.weight DESC LIMIT CASE WHEN o.having > mostPostings THEN mostPostings / mostSources END) p
      WHERE o.upto <= mostPostings OR o.place = 1
      GROUP BY o.word, o.counts, w.knowledge_base_id, w.source_id, p.number),
  candidates AS MATERIALIZED (
    SELECT f.knowledge_base_id, f.source_id, f.number, sum(f.score) AS score FROM found f
      GROUP BY 1, 2, 3 ORDER BY 4 DESC, 2, 3 LIMIT greatest(mostCandidates, most)),
  -- What the frequent words add to them.
  added AS MATERIALIZED (
    SELECT c.source_id, c.number, sum(m.score) AS score FROM candidates c
      CROSS JOIN LATERAL (
        SELECT o.word, max(w.weights[array_position(w.numbers, c.number)] * o.likeness) * o.counts AS score
          FROM ordered o
          JOIN knowledge_words w ON w.organization_id = tenant AND w.knowledge_base_id = c.knowledge_base_id AND w.word = o.form
            AND w.source_id = c.source_id
          WHERE o.upto > mostPostings AND o.place > 1
          GROUP BY o.word, o.counts) m
      GROUP BY 1, 2),
  best AS MATERIALIZED (
    SELECT c.knowledge_base_id, c.source_id, c.number, (c.score + coalesce(a.score, 0))::double precision AS score
      FROM candidates c LEFT JOIN added a ON a.source_id = c.source_id AND a.number = c.number
      ORDER BY 4 DESC, 2, 3 LIMIT most)
  SELECT b.knowledge_base_id, b.source_id, b.number, p.title, p.headings, p.text, p.url, b.score,
      (SELECT sum(r.counts) FROM rarity r)::double precision
    FROM best b JOIN knowledge_passages p ON p.organization_id = tenant AND p.source_id = b.source_id AND p.number = b.number
    ORDER BY b.score DESC, b.source_id, b.number;
END
$$;
