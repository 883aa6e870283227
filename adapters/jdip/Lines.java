import dip.order.Convoy;
import dip.order.Order;
import dip.order.OrderException;
import dip.order.OrderFactory;
import dip.order.OrderParser;
import dip.order.Orderable;
import dip.order.result.OrderResult;
import dip.process.RetreatChecker;
import dip.process.StdAdjudicator;
import dip.world.Coast;
import dip.world.Location;
import dip.world.Phase;
import dip.world.Position;
import dip.world.Power;
import dip.world.Province;
import dip.world.RuleOptions;
import dip.world.TurnState;
import dip.world.Unit;
import dip.world.World;
import dip.world.WorldFactory;
import dip.world.variant.VariantManager;
import dip.world.variant.data.Variant;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * jDip, asked by batch lines in all phases. It writes as satjudge's dialect `jdip` does:
 *
 *     satjudge conformance --dialect jdip --limit startup=60 --against "java -cp … Lines VARIANTS"
 *
 * VARIANTS is jDip's folder with stdVariants.zip.
 */
public final class Lines {
    private static final String DROPPED = "not accepted";
    private final World world;
    private final TurnState start;

    private Lines(File variants) throws Exception {
        VariantManager.init(new File[] {variants}, false);
        Variant variant = VariantManager.getVariant("Standard", VariantManager.VERSION_NEWEST);
        if (variant == null) {
            throw new IllegalArgumentException("there is no variant Standard in " + variants);
        }
        world = WorldFactory.getInstance().createWorld(variant);
        start = world.getLastTurnState();
        world.removeTurnState(start);
        world.setRuleOptions(RuleOptions.createFromVariant(variant));
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err); // what jDip prints is no answer
        if (arguments.length != 1) {
            System.err.println("usage: java Lines VARIANTS (jDip's folder with stdVariants.zip)");
            System.exit(2);
        }
        Lines lines = new Lines(new File(arguments[0]));
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            answers.println(Json.written(lines.answered(Json.object(Json.read(line)))));
            answers.flush();
        }
    }

    /** What jDip says of a request. What it throws is an error. */
    private Map<String, Object> answered(Map<String, Object> asked) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", asked.get("id"));
        try {
            answer.putAll(new Question(asked).answer());
        } catch (Skip skip) {
            answer.put("skip", skip.getMessage());
        } catch (Exception | Error error) {
            answer.put("error", error.toString());
        } finally {
            world.removeAllTurnStates();
        }
        return answer;
    }

    /** Says that jDip does not judge a position, or cannot be told it. */
    private static final class Skip extends RuntimeException {
        Skip(String why) {
            super(why);
        }
    }

    /** One request, with the turn in which it is judged. */
    private final class Question {
        final Map<String, Object> asked;
        final String phase;
        final TurnState turn;
        final Position position;
        /** The dislodged units of a retreat phase, with the places to which they may go. */
        final Map<Location, List<Location>> lost = new LinkedHashMap<>();

        Question(Map<String, Object> asked) throws Exception {
            this.asked = asked;
            phase = asked.containsKey("phase") ? (String) asked.get("phase") : "movement";
            if (!"standard".equals(asked.getOrDefault("map", "standard"))) {
                throw new Skip("only the standard map");
            }
            Phase when = when();
            turn = turn(when);
            position = turn.getPosition();
            world.setTurnState(turn);
            place();
            TurnState before = turn(when.getPrevious());
            world.setTurnState(before);
            before.getResultList().addAll(barring());
        }

        private Phase when() {
            switch (phase) {
                case "movement":
                    return new Phase(Phase.SeasonType.SPRING, 1901, Phase.PhaseType.MOVEMENT);
                case "retreat":
                    return new Phase(Phase.SeasonType.SPRING, 1901, Phase.PhaseType.RETREAT);
                case "adjustment":
                    return new Phase(Phase.SeasonType.FALL, 1901, Phase.PhaseType.ADJUSTMENT);
                default:
                    throw new Skip("no " + phase + " phases");
            }
        }

        private TurnState turn(Phase when) {
            TurnState made = new TurnState(when);
            made.setPosition(start.getPosition().cloneExceptUnits());
            made.setWorld(world);
            return made;
        }

        private void place() throws Exception {
            for (Map.Entry<String, List<String>> entry : Json.texts(asked.get("units")).entrySet()) {
                for (String text : entry.getValue()) {
                    Unit unit = unit(power(entry.getKey()), text);
                    position.setUnit(located(text).getProvince(), unit);
                }
            }
            for (Map.Entry<String, Object> entry : Json.object(asked.get("dislodged")).entrySet()) {
                for (Map.Entry<String, List<String>> one : Json.texts(entry.getValue()).entrySet()) {
                    Location from = located(one.getKey());
                    position.setDislodgedUnit(from.getProvince(), unit(power(entry.getKey()), one.getKey()));
                    List<Location> to = new ArrayList<>();
                    for (String place : one.getValue()) {
                        to.add(located(one.getKey().charAt(0) + " " + place));
                    }
                    lost.put(from, to);
                }
            }
            if (phase.equals("adjustment")) {
                for (Province province : position.getProvinces()) {
                    position.setSupplyCenterOwner(province, null);
                }
                for (Map.Entry<String, List<String>> entry : Json.texts(asked.get("centers")).entrySet()) {
                    for (String place : entry.getValue()) {
                        position.setSupplyCenterOwner(province(place), power(entry.getKey()));
                    }
                }
            }
        }

        /**
         * jDip derives the places where units may go from the moves before. These are such moves: two that fail, into a place that
         * is open to nobody, and one that succeeds, from a place that is open to another unit.
         */
        private List<OrderResult> barring() {
            List<OrderResult> made = new ArrayList<>();
            Set<Province> open = new LinkedHashSet<>();
            lost.values().forEach(to -> to.forEach(place -> open.add(place.getProvince())));
            Set<Province> barred = new LinkedHashSet<>();
            Set<Province> attackers = new LinkedHashSet<>();
            List<Province> elsewhere = new ArrayList<>();
            for (Map.Entry<Location, List<Location>> unit : lost.entrySet()) {
                Set<Province> mine = new LinkedHashSet<>();
                unit.getValue().forEach(place -> mine.add(place.getProvince()));
                for (Location place : unit.getKey().getProvince().getAdjacentLocations(unit.getKey().getCoast())) {
                    Province province = place.getProvince();
                    if (position.hasUnit(province) || mine.contains(province)) {
                        continue;
                    }
                    if (!open.contains(province)) {
                        barred.add(province);
                    } else if (attackers.add(province)) {
                        made.add(moved(province, unit.getKey().getProvince(), OrderResult.ResultType.SUCCESS));
                    } else {
                        throw new Skip("jDip derives the places to which units may go, and would find others");
                    }
                }
            }
            for (Province province : position.getProvinces()) {
                if (!attackers.contains(province)) {
                    elsewhere.add(province);
                }
            }
            for (Province province : barred) {
                made.add(moved(elsewhere.remove(0), province, OrderResult.ResultType.FAILURE));
                made.add(moved(elsewhere.remove(0), province, OrderResult.ResultType.FAILURE));
            }
            return made;
        }

        private OrderResult moved(Province from, Province to, OrderResult.ResultType result) {
            Location source = new Location(from, Coast.NONE);
            Location destination = new Location(to, Coast.NONE);
            Power any = world.getMap().getPowers()[0];
            return new OrderResult(OrderFactory.getDefault().createMove(any, source, Unit.Type.ARMY, destination), result, "");
        }

        Map<String, Object> answer() throws Exception {
            Map<String, List<Order>> given = new LinkedHashMap<>();
            Set<Province> ordered = new LinkedHashSet<>();
            for (Map.Entry<String, List<String>> entry : Json.texts(asked.get("orders")).entrySet()) {
                List<Order> orders = new ArrayList<>();
                for (String text : entry.getValue()) {
                    Order order = parsed(entry.getKey(), text);
                    if (order != null && order.getSource() != null && !ordered.add(order.getSource().getProvince())) {
                        throw new Skip("jDip takes one order for each unit");
                    }
                    orders.add(order);
                }
                given.put(entry.getKey(), orders);
                List<Order> accepted = new ArrayList<>(orders);
                accepted.removeIf(order -> order == null);
                turn.setOrders(power(entry.getKey()), accepted);
            }
            StdAdjudicator judge = new StdAdjudicator(OrderFactory.getDefault(), turn);
            judge.setPowerOrderChecking(true);
            judge.process();
            TurnState next = judge.getNextTurnState();
            if (next == null) {
                throw new Skip("the game is over, and jDip tells no positions");
            }
            Map<String, Object> told = new LinkedHashMap<>();
            Map<String, Object> results = new LinkedHashMap<>();
            for (Map.Entry<String, List<Order>> entry : given.entrySet()) {
                List<String> words = new ArrayList<>();
                entry.getValue().forEach(order -> words.add(word(order)));
                results.put(entry.getKey(), words);
            }
            told.put("results", results);
            told.put("units", units(next.getPosition()));
            if (phase.equals("movement")) {
                told.put("dislodged", dislodged(next));
            }
            return told;
        }

        /** The order, or null if jDip cannot read it. */
        private Order parsed(String power, String text) {
            String theirs = text;
            if (text.equals("WAIVE")) {
                throw new Skip("jDip needs a province to waive a build");
            } else if (phase.equals("adjustment") && text.endsWith(" B")) {
                theirs = "build " + text.substring(0, text.length() - 2);
            } else if (phase.equals("adjustment") && text.endsWith(" D")) {
                theirs = "remove " + text.substring(0, text.length() - 2);
            } else if (phase.equals("retreat")) {
                theirs = text.replace(" R ", " - ");
            }
            try {
                return OrderParser.getInstance().parse(OrderFactory.getDefault(), power + ": " + theirs, null, turn, false, false);
            } catch (OrderException unread) {
                return null;
            }
        }

        /** jDip's words for an order. */
        private String word(Order order) {
            if (order == null) {
                return DROPPED;
            }
            Set<String> words = new TreeSet<>();
            boolean lost = false;
            for (Object entry : turn.getResultList()) {
                if (!(entry instanceof OrderResult) || ((OrderResult) entry).getOrder() == null) {
                    continue;
                }
                OrderResult.ResultType type = ((OrderResult) entry).getResultType();
                Orderable told = ((OrderResult) entry).getOrder();
                if (type == OrderResult.ResultType.DISLODGED) { // perhaps of the hold that jDip puts in the place of an order
                    lost |= told.getPower().equals(order.getPower()) && told.getSource().isProvinceEqual(order.getSource());
                } else if (told == order && type == OrderResult.ResultType.SUCCESS) {
                    words.add("success");
                } else if (told == order && type == OrderResult.ResultType.FAILURE) {
                    words.add("failure");
                } else if (told == order && type == OrderResult.ResultType.VALIDATION_FAILURE) {
                    words.add(DROPPED);
                }
            }
            if (order instanceof Convoy) {
                words.remove("success"); // it says that the fleet was not dislodged, and nothing of the army
            }
            String word = words.contains(DROPPED) ? DROPPED : String.join(", ", words);
            return lost ? (word.isEmpty() ? "dislodged" : word + ", dislodged") : word;
        }

        @SuppressWarnings("unchecked")
        private Map<String, Object> dislodged(TurnState next) {
            Map<String, Object> told = new LinkedHashMap<>();
            RetreatChecker checker = new RetreatChecker(next, turn.getResultList());
            for (Object entry : turn.getResultList()) {
                if (!(entry instanceof OrderResult)
                        || ((OrderResult) entry).getResultType() != OrderResult.ResultType.DISLODGED) {
                    continue;
                }
                Province province = ((OrderResult) entry).getOrder().getSource().getProvince();
                Unit unit = position.getUnit(province);
                Location from = new Location(province, unit.getCoast());
                List<String> retreats = new ArrayList<>();
                for (Location to : checker.getValidLocations(from)) {
                    retreats.add(written(to));
                }
                String power = unit.getPower().getName();
                Json.object(told.computeIfAbsent(power, name -> new LinkedHashMap<String, Object>()))
                        .put(kind(unit) + " " + written(from), retreats);
            }
            return told;
        }
    }

    private Map<String, Object> units(Position position) {
        Map<String, Object> told = new LinkedHashMap<>();
        for (Province province : position.getUnitProvinces()) {
            Unit unit = position.getUnit(province);
            Object texts = told.computeIfAbsent(unit.getPower().getName(), power -> new ArrayList<String>());
            @SuppressWarnings("unchecked")
            List<String> list = (List<String>) texts;
            list.add(kind(unit) + " " + written(new Location(province, unit.getCoast())));
        }
        return told;
    }

    private Power power(String name) {
        Power power = world.getMap().getPower(name);
        if (power == null) {
            throw new Skip("there is no power " + name);
        }
        return power;
    }

    private Province province(String text) {
        Province province = world.getMap().getProvince(text);
        if (province == null) {
            throw new Skip("there is no province " + text);
        }
        return province;
    }

    private Unit unit(Power power, String text) throws OrderException {
        Unit unit = new Unit(power, type(text));
        unit.setCoast(located(text).getCoast());
        return unit;
    }

    /** The place of a unit: `F spa-sc`. */
    private Location located(String text) throws OrderException {
        String[] parts = text.substring(2).split("-");
        Coast coast = parts.length > 1 ? Coast.parse(parts[1]) : Coast.UNDEFINED;
        return new Location(province(parts[0]), coast).getValidatedSetup(type(text));
    }

    private static Unit.Type type(String text) {
        return text.startsWith("A") ? Unit.Type.ARMY : Unit.Type.FLEET;
    }

    private static String kind(Unit unit) {
        return unit.getType() == Unit.Type.ARMY ? "A" : "F";
    }

    private static String written(Location place) {
        String code = place.getProvince().getShortName().toLowerCase();
        return Coast.isDisplayable(place.getCoast()) ? code + "-" + place.getCoast().getAbbreviation() : code;
    }

    /** As much of JSON as batch lines need. */
    private static final class Json {
        private final String text;
        private int at;

        private Json(String text) {
            this.text = text;
        }

        static Object read(String text) {
            return new Json(text).value();
        }

        @SuppressWarnings("unchecked")
        static Map<String, Object> object(Object value) {
            return value == null ? new LinkedHashMap<>() : (Map<String, Object>) value;
        }

        /** An object of lists of texts. */
        @SuppressWarnings("unchecked")
        static Map<String, List<String>> texts(Object value) {
            return value == null ? new LinkedHashMap<>() : (Map<String, List<String>>) value;
        }

        static String written(Object value) {
            if (value instanceof Map) {
                List<String> parts = new ArrayList<>();
                object(value).forEach((key, one) -> parts.add(written(key) + ":" + written(one)));
                return "{" + String.join(",", parts) + "}";
            }
            if (value instanceof List) {
                List<String> parts = new ArrayList<>();
                ((List<?>) value).forEach(one -> parts.add(written(one)));
                return "[" + String.join(",", parts) + "]";
            }
            if (!(value instanceof String)) {
                return String.valueOf(value);
            }
            StringBuilder made = new StringBuilder("\"");
            for (char one : ((String) value).toCharArray()) {
                made.append(one < ' ' || one == '"' || one == '\\' || one > '~' ? String.format("\\u%04x", (int) one) : one);
            }
            return made.append('"').toString();
        }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return text.charAt(at);
        }

        private Object value() {
            switch (next()) {
                case '{':
                    return object();
                case '[':
                    return list();
                case '"':
                    return string();
                default:
                    return plain();
            }
        }

        private Map<String, Object> object() {
            Map<String, Object> found = new LinkedHashMap<>();
            for (at++; next() != '}'; at += next() == ',' ? 1 : 0) {
                String key = string();
                next();
                at++; // the colon
                found.put(key, value());
            }
            at++;
            return found;
        }

        private List<Object> list() {
            List<Object> found = new ArrayList<>();
            for (at++; next() != ']'; at += next() == ',' ? 1 : 0) {
                found.add(value());
            }
            at++;
            return found;
        }

        private String string() {
            StringBuilder made = new StringBuilder();
            next();
            for (at++; text.charAt(at) != '"'; at++) {
                if (text.charAt(at) != '\\') {
                    made.append(text.charAt(at));
                    continue;
                }
                char escaped = text.charAt(++at);
                if (escaped == 'u') {
                    made.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    int known = "nrtbf".indexOf(escaped);
                    made.append(known < 0 ? escaped : "\n\r\t\b\f".charAt(known));
                }
            }
            at++;
            return made.toString();
        }

        private Object plain() {
            int from = at;
            while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String found = text.substring(from, at);
            switch (found) {
                case "true":
                    return true;
                case "false":
                    return false;
                case "null":
                    return null;
                default:
                    return new java.math.BigDecimal(found);
            }
        }
    }
}
